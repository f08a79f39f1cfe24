import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loopbackCertificate } from '../certificates/loopback-certificate.ts';
import { kubeconfig } from './kubeconfig.ts';

export interface ControlPlaneFiles {
  readonly token: string;
  readonly serving: ServingFiles;
  readonly serviceAccountPublicKey: string;
  readonly serviceAccountPrivateKey: string;
  readonly tokens: string;
  writeKubeconfig(path: string, url: string): Promise<void>;
}

interface ServingFiles {
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
  /** PEM. */
  readonly ca: string;
}

/** Creates the files that the flags of the control plane refer to. */
export async function prepareFiles(folder: string, token: string): Promise<ControlPlaneFiles> {
  const serving = await writeServing(folder);
  const serviceAccountPublicKey = join(folder, 'service-account.pub');
  const serviceAccountPrivateKey = join(folder, 'service-account.key');
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await writeFile(serviceAccountPublicKey, publicKey.export({ type: 'spki', format: 'pem' }));
  await writeFile(serviceAccountPrivateKey, privateKey.export({ type: 'pkcs8', format: 'pem' }), {
    mode: 0o600,
  });

  const tokens = join(folder, 'tokens.csv');
  await writeFile(tokens, `${token},admin,admin,"system:masters"\n`, { mode: 0o600 });

  return {
    token,
    serving,
    serviceAccountPublicKey,
    serviceAccountPrivateKey,
    tokens,
    writeKubeconfig: (path, url) =>
      writeFile(path, kubeconfig({ url, ca: serving.ca, token }), { mode: 0o600 }),
  };
}

async function writeServing(folder: string): Promise<ServingFiles> {
  const { ca, cert, key } = loopbackCertificate('podgraft control plane');
  const file = (name: string) => join(folder, name);
  const files = { caFile: file('ca.crt'), certFile: file('tls.crt'), keyFile: file('tls.key') };
  await writeFile(files.caFile, ca);
  await writeFile(files.certFile, cert);
  await writeFile(files.keyFile, key, { mode: 0o600 });
  return { ...files, ca };
}
