import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GuardedFolder } from '../../../src/control-plane/guarded-folder.ts';
import { startProgram } from '../../../src/control-plane/program.ts';
import type { Namespaces } from './namespaces.ts';

export const POD_NETWORK = '10.88.0.0/16';
const SOCKET = '/run/containerd/containerd.sock';

export interface ContainerRuntime {
  readonly endpoint: string;
  /** Variables for programs that need the runtime's own files, such as iptables. */
  readonly env: Readonly<Record<string, string>>;
  importImage(archive: string): Promise<void>;
}

/** containerd with runc and network plugins from `files`, a folder with extracted packages. */
export async function startContainerRuntime(
  folder: GuardedFolder,
  namespaces: Namespaces,
  files: string,
  sandboxImage: string,
): Promise<ContainerRuntime> {
  const libraries = join(files, 'usr/lib/x86_64-linux-gnu');
  const env = {
    PATH: [join(files, 'usr/sbin'), join(files, 'usr/bin'), process.env.PATH].join(':'),
    LD_LIBRARY_PATH: libraries,
    XTABLES_LIBDIR: join(libraries, 'xtables'),
  };
  const own = join(folder.path, 'containerd');
  mkdirSync(join(own, 'network'), { recursive: true });
  writeFileSync(join(own, 'network', '10-pods.conflist'), JSON.stringify(network));
  const config = join(own, 'config.toml');
  writeFileSync(config, configuration(own, namespaces.scratch, join(files, 'usr/lib/cni'), sandboxImage));

  const containerd = namespaces.script('containerd', join(files, 'usr/bin/containerd'), env);
  const ctr = namespaces.script('ctr', join(files, 'usr/bin/ctr'), env);
  await startProgram(folder, containerd, ['--config', config], async () => {
    await namespaces.run(ctr, ['version']);
    return true;
  });
  return {
    endpoint: `unix://${SOCKET}`,
    env,
    importImage: async (archive) => {
      await namespaces.run(ctr, ['--namespace', 'k8s.io', 'images', 'import', archive]);
    },
  };
}

/** Point-to-point links instead of a bridge, which would need hairpin mode for Pods that call themselves through a Service. */
const network = {
  cniVersion: '1.0.0',
  name: 'pods',
  plugins: [
    {
      type: 'ptp',
      ipMasq: false,
      ipam: {
        type: 'host-local',
        ranges: [[{ subnet: POD_NETWORK }]],
        routes: [{ dst: '0.0.0.0/0' }],
        dataDir: '/run/pod-addresses',
      },
    },
    { type: 'portmap', capabilities: { portMappings: true } },
  ],
};

function configuration(own: string, scratch: string, plugins: string, sandboxImage: string): string {
  return `version = 2
root = "${scratch}/containerd"
state = "/run/containerd"
[grpc]
  address = "${SOCKET}"
[plugins."io.containerd.internal.v1.opt"]
  path = "${scratch}/opt"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${sandboxImage}"
  # Without CAP_SYS_RESOURCE nobody may lower the score, and no Pod would start.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        SystemdCgroup = false
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${plugins}"
    conf_dir = "${own}/network"
`;
}
