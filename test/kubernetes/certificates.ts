import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export type Certificates = {
  caFile: string;
  certFile: string;
  keyFile: string;
  ca: string;
  cert: string;
  key: string;
};

// Complete, because the machine's own openssl.cnf may add extensions.
const config = `
[req]
prompt = no
distinguished_name = name
[name]
CN = podgraft-test
[ca]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[leaf]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = IP:127.0.0.1, DNS:localhost
`;

/** Creates a CA and a serving certificate for 127.0.0.1 in `folder`, with openssl because Node cannot issue certificates. */
export async function makeCertificates(folder: string): Promise<Certificates> {
  await mkdir(folder, { recursive: true });
  const file = (name: string) => join(folder, name);
  await writeFile(file('openssl.cnf'), config);
  const request = ['req', '-config', 'openssl.cnf', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  const openssl = (args: string[]) => promisify(execFile)('openssl', args, { cwd: folder });

  await openssl(
    // biome-ignore format: an option and its value per line
    [...request, '-nodes', '-x509', '-days', '2', '-subj', '/CN=podgraft-test-ca', '-extensions', 'ca',
      '-keyout', 'ca.key', '-out', 'ca.crt'],
  );
  await openssl([...request, '-nodes', '-keyout', 'tls.key', '-out', 'tls.csr']);
  await openssl(
    // biome-ignore format: an option and its value per line
    ['x509', '-req', '-in', 'tls.csr', '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2',
      '-extfile', 'openssl.cnf', '-extensions', 'leaf', '-out', 'tls.crt'],
  );

  const files = { caFile: file('ca.crt'), certFile: file('tls.crt'), keyFile: file('tls.key') };
  const read = (path: string) => readFile(path, 'utf8');
  const [ca, cert, key] = await Promise.all([read(files.caFile), read(files.certFile), read(files.keyFile)]);
  return { ...files, ca, cert, key };
}
