import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiGet } from '../../../src/control-plane/api-get.ts';
import { startProgram } from '../../../src/control-plane/program.ts';
import { API_URL, type Cluster, NODE_ADDRESS, programPath } from './cluster.ts';

/** etcd, kube-apiserver and kube-controller-manager, in the node's network. */
export async function startControlPlane({ folder, namespaces, credentials, url }: Cluster): Promise<void> {
  const etcd = namespaces.script('etcd', programPath('etcd'));
  await startProgram(
    folder,
    etcd,
    ['--data-dir', join(namespaces.scratch, 'etcd'), '--unsafe-no-fsync'],
    async () =>
      readFileSync(join(folder.path, 'etcd.log'), 'utf8').includes('ready to serve client requests'),
  );
  const { publicKey, privateKey } = writeServiceAccountKeys(folder.path);
  const apiServer = namespaces.script('kube-apiserver', programPath('kube-apiserver'));
  const apiServerArgs = [
    '--etcd-servers=http://127.0.0.1:2379',
    '--bind-address=0.0.0.0',
    `--advertise-address=${NODE_ADDRESS}`,
    `--tls-cert-file=${credentials.certFile}`,
    `--tls-private-key-file=${credentials.keyFile}`,
    `--token-auth-file=${credentials.tokensFile}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${publicKey}`,
    `--service-account-signing-key-file=${privateKey}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    '--kubelet-preferred-address-types=InternalIP',
    '--allow-privileged=true',
  ];
  const access = { url, ca: credentials.ca, token: credentials.token };
  await startProgram(folder, apiServer, apiServerArgs, async () => {
    const { status, body } = await apiGet(access, '/readyz');
    return status === 200 && body === 'ok';
  });
  const manager = namespaces.script('kube-controller-manager', programPath('kube-controller-manager'));
  const managerArgs = [
    `--kubeconfig=${credentials.kubeconfigFor('kube-controller-manager', API_URL)}`,
    `--service-account-private-key-file=${privateKey}`,
    `--root-ca-file=${credentials.caFile}`,
    '--use-service-account-credentials=true',
    '--leader-elect=false',
    '--bind-address=127.0.0.1',
  ];
  await startProgram(folder, manager, managerArgs, async () => {
    const { status } = await apiGet(access, '/api/v1/namespaces/default/serviceaccounts/default');
    return status === 200;
  });
}

function writeServiceAccountKeys(folder: string) {
  const [publicKey, privateKey] = [join(folder, 'service-account.pub'), join(folder, 'service-account.key')];
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(publicKey, pair.publicKey.export({ type: 'spki', format: 'pem' }));
  writeFileSync(privateKey, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return { publicKey, privateKey };
}
