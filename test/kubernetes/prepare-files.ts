import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Certificates, makeCertificates } from './certificates.ts';
import { kubeconfig } from './kubeconfig.ts';

export type ControlPlaneFiles = {
  token: string;
  serving: Certificates;
  serviceAccountPublicKey: string;
  serviceAccountPrivateKey: string;
  tokens: string;
  writeKubeconfig(path: string, url: string): Promise<void>;
};

/** Creates the files that the flags of the control plane refer to. */
export async function prepareFiles(folder: string, token: string): Promise<ControlPlaneFiles> {
  const serving = await makeCertificates(join(folder, 'certificates'));
  const serviceAccountPublicKey = join(folder, 'service-account.pub');
  const serviceAccountPrivateKey = join(folder, 'service-account.key');
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await writeFile(serviceAccountPublicKey, publicKey.export({ type: 'spki', format: 'pem' }));
  await writeFile(serviceAccountPrivateKey, privateKey.export({ type: 'pkcs8', format: 'pem' }));

  const tokens = join(folder, 'tokens.csv');
  await writeFile(tokens, `${token},admin,admin,"system:masters"\n`);

  return {
    token,
    serving,
    serviceAccountPublicKey,
    serviceAccountPrivateKey,
    tokens,
    writeKubeconfig: (path, url) => writeFile(path, kubeconfig({ url, ca: serving.ca, token })),
  };
}
