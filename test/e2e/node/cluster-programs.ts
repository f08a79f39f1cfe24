import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiGet } from '../../../src/control-plane/api-get.ts';
import type { GuardedFolder } from '../../../src/control-plane/guarded-folder.ts';
import { startProgram } from '../../../src/control-plane/program.ts';
import { cacheFolder, type NodeProgram, type Program } from '../../../tools/kubernetes/cache-folder.mjs';
import { type ContainerRuntime, POD_NETWORK } from './container-runtime.ts';
import type { Credentials } from './credentials.ts';
import type { Namespaces } from './namespaces.ts';

export const NODE_ADDRESS = '198.18.77.2';
export const NODE_NAME = 'node1';
/** The Service "kubernetes", by which Pods reach the API server. */
export const API_SERVICE_ADDRESS = '10.0.0.1';
/** As seen in the node's own network. */
export const API_URL = `https://${NODE_ADDRESS}:6443`;

export interface ClusterPrograms {
  readonly folder: GuardedFolder;
  readonly namespaces: Namespaces;
  readonly credentials: Credentials;
  /** As seen by the tests. */
  readonly url: string;
}

const program = (name: Program | NodeProgram) => join(cacheFolder(), name);

/** etcd, kube-apiserver and kube-controller-manager, in the node's network. */
export async function startControlPlane({
  folder,
  namespaces,
  credentials,
  url,
}: ClusterPrograms): Promise<void> {
  const etcd = namespaces.script('etcd', program('etcd'));
  await startProgram(
    folder,
    etcd,
    ['--data-dir', join(namespaces.scratch, 'etcd'), '--unsafe-no-fsync'],
    async () =>
      readFileSync(join(folder.path, 'etcd.log'), 'utf8').includes('ready to serve client requests'),
  );
  const { publicKey, privateKey } = writeServiceAccountKeys(folder.path);
  const apiServer = namespaces.script('kube-apiserver', program('kube-apiserver'));
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
  const manager = namespaces.script('kube-controller-manager', program('kube-controller-manager'));
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

/** kubelet, kube-proxy and kube-scheduler; resolves when the node is ready. */
export async function startNodePrograms(
  { folder, namespaces, credentials, url }: ClusterPrograms,
  runtime: ContainerRuntime,
  cgroup: string,
): Promise<void> {
  const access = { url, ca: credentials.ca, token: credentials.token };
  const started = async () => true;
  const scheduler = namespaces.script('kube-scheduler', program('kube-scheduler'));
  await startProgram(
    folder,
    scheduler,
    [
      `--kubeconfig=${credentials.kubeconfigFor('kube-scheduler', API_URL)}`,
      '--leader-elect=false',
      '--bind-address=127.0.0.1',
    ],
    started,
  );
  const proxy = namespaces.script('kube-proxy', program('kube-proxy'), runtime.env);
  await startProgram(
    folder,
    proxy,
    [
      `--kubeconfig=${credentials.kubeconfigFor('kube-proxy', API_URL)}`,
      `--hostname-override=${NODE_NAME}`,
      '--proxy-mode=iptables',
      `--cluster-cidr=${POD_NETWORK}`,
      `--bind-address=${NODE_ADDRESS}`,
      // These settings of the kernel cannot be written from a network namespace.
      '--conntrack-max-per-core=0',
      '--conntrack-tcp-timeout-established=0s',
      '--conntrack-tcp-timeout-close-wait=0s',
    ],
    started,
  );
  const kubelet = namespaces.script('kubelet', program('kubelet'), runtime.env);
  const root = join(namespaces.scratch, 'kubelet');
  const config = join(folder.path, 'kubelet-config.json');
  writeFileSync(config, JSON.stringify(kubeletConfiguration(folder.path, runtime, cgroup)));
  const kubeletArgs = [
    `--config=${config}`,
    `--kubeconfig=${credentials.kubeconfigFor('kubelet', API_URL)}`,
    `--hostname-override=${NODE_NAME}`,
    `--node-ip=${NODE_ADDRESS}`,
    `--root-dir=${root}`,
    `--cert-dir=${root}/certificates`,
  ];
  await startProgram(folder, kubelet, kubeletArgs, async () => {
    const { body } = await apiGet(access, `/api/v1/nodes/${NODE_NAME}`);
    const { status } = JSON.parse(body) as { status?: { conditions?: { type: string; status: string }[] } };
    return status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') ?? false;
  });
}

function kubeletConfiguration(folder: string, { endpoint }: ContainerRuntime, cgroup: string) {
  const resolvConf = join(folder, 'resolv.conf');
  writeFileSync(resolvConf, `nameserver ${API_SERVICE_ADDRESS}\n`);
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: NODE_ADDRESS,
    failCgroupV1: false,
    failSwapOn: false,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${cgroup}`,
    containerRuntimeEndpoint: endpoint,
    // Only the API server is in this network.
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
    resolvConf,
    evictionHard: {
      'memory.available': '100Mi',
      'nodefs.available': '1%',
      'imagefs.available': '1%',
      'nodefs.inodesFree': '1%',
    },
    // Imported images could not be pulled again.
    imageGCHighThresholdPercent: 100,
    maxPods: 500,
    // How soon a changed Secret or ConfigMap reaches the files of a Pod. The default is a minute.
    syncFrequency: '5s',
    volumePluginDir: join(folder, 'volume-plugins'),
  };
}

function writeServiceAccountKeys(folder: string) {
  const [publicKey, privateKey] = [join(folder, 'service-account.pub'), join(folder, 'service-account.key')];
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(publicKey, pair.publicKey.export({ type: 'spki', format: 'pem' }));
  writeFileSync(privateKey, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return { publicKey, privateKey };
}
