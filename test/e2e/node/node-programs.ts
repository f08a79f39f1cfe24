import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiGet } from '../../../src/control-plane/api-get.ts';
import { startProgram } from '../../../src/control-plane/program.ts';
import {
  API_SERVICE_ADDRESS,
  API_URL,
  type Cluster,
  NODE_ADDRESS,
  NODE_NAME,
  programPath,
} from './cluster.ts';
import { type ContainerRuntime, POD_NETWORK } from './container-runtime.ts';

/** kubelet, kube-proxy and kube-scheduler; resolves when the node is ready. */
export async function startNodePrograms(
  { folder, namespaces, credentials, url }: Cluster,
  runtime: ContainerRuntime,
  cgroup: string,
): Promise<void> {
  const access = { url, ca: credentials.ca, token: credentials.token };
  const started = async () => true;
  const scheduler = namespaces.script('kube-scheduler', programPath('kube-scheduler'));
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
  const proxy = namespaces.script('kube-proxy', programPath('kube-proxy'), runtime.env);
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
  const kubelet = namespaces.script('kubelet', programPath('kubelet'), runtime.env);
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
    // Only the API server and the Pods of the tests can reach it.
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
