import type { Container, Volume } from '../../kube/generated/types.ts';
import type { DeepReadonly } from '../../kube/kube-object.ts';
import { FILEBEAT_HOME, normalPath } from './log-directories.ts';
import type { Mount } from './log-mounts.ts';
import { freeVolumeName } from './volume-name.ts';

const FILE = 'filebeat.yml';
const PATH = `${FILEBEAT_HOME}/${FILE}`;

export interface ConfigMount {
  readonly volumes: readonly { readonly name: string; readonly configMap: { readonly name: string } }[];
  readonly mounts: readonly Mount[];
}

/** The ConfigMap as a volume and its `filebeat.yml` as a mount; nothing where the sidecar has that file already. */
export function planConfigMount(
  configMap: string,
  sidecar: DeepReadonly<Pick<Container, 'volumeMounts'>>,
  podVolumes: readonly DeepReadonly<Volume>[],
): ConfigMount {
  if (sidecar.volumeMounts?.some(({ mountPath }) => normalPath(mountPath) === PATH)) {
    return { volumes: [], mounts: [] };
  }
  const name = freeVolumeName(
    podVolumes,
    'filebeat-config',
    (volume) => volume.configMap?.name === configMap,
  );
  return {
    volumes: [{ name, configMap: { name: configMap } }],
    mounts: [{ name, mountPath: PATH, subPath: FILE, readOnly: true }],
  };
}
