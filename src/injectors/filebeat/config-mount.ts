import { stable } from '../../json/stable.ts';
import type { Container, Volume } from '../../kube/generated/types.ts';
import type { DeepReadonly } from '../../kube/kube-object.ts';
import type { Mount } from './mounts.ts';
import { FILEBEAT_CONFIG } from './no-place.ts';
import { normalPath } from './paths.ts';
import { freeVolumeName } from './volume-name.ts';

export interface ConfigMount {
  readonly volume: { readonly name: string; readonly configMap: { readonly name: string } };
  readonly mount: Mount;
}

/** As it is where no other volume has the name. */
export function configMount(configMap: string, name = 'filebeat-config'): ConfigMount {
  return stable({
    volume: { name, configMap: { name: configMap } },
    mount: { name, mountPath: FILEBEAT_CONFIG, subPath: 'filebeat.yml', readOnly: true },
  });
}

/** The ConfigMap as a volume and its `filebeat.yml` as a mount; nothing where the sidecar has that file already. */
export function planConfigMount(
  wanted: ConfigMount,
  sidecar: DeepReadonly<Pick<Container, 'volumeMounts'>>,
  podVolumes: readonly DeepReadonly<Volume>[],
): ConfigMount | undefined {
  if (sidecar.volumeMounts?.some(({ mountPath }) => normalPath(mountPath) === FILEBEAT_CONFIG))
    return undefined;
  const { name, configMap } = wanted.volume;
  const free = freeVolumeName(podVolumes, name, (volume) => volume.configMap?.name === configMap.name);
  return free === name ? wanted : configMount(configMap.name, free);
}
