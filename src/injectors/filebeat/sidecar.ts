import type { Container, DeepReadonly } from '../../sdk/index.ts';
import type { Options } from './annotations.ts';
import type { LogMounts } from './log-mounts.ts';
import { mountAt, type VolumesByName, withPaths } from './mounts.ts';
import { FILEBEAT_CONFIG } from './paths.ts';
import { SIDECAR } from './placement.ts';
import type { FittedResources } from './resources.ts';
import type { Settings } from './settings.ts';
import { freeVolumeName } from './volume-name.ts';

interface SidecarParts {
  readonly options: Options;
  readonly resources: FittedResources;
  readonly config: ReturnType<typeof planConfigMount>;
  readonly logs: LogMounts;
  readonly app: string;
  readonly namespace: string;
}

/** The Filebeat container, without its position in the Pod. */
export function sidecarContainer(parts: SidecarParts, settings: Settings) {
  const { options, resources, config, logs, app, namespace } = parts;
  return {
    name: SIDECAR,
    image: options.image,
    env: [
      { name: 'WORKER', value: options.worker },
      { name: 'BulkMaxSize', value: options.bulkMaxSize },
      { name: 'LOG_PATH', value: options.logPath.text },
      { name: 'APP', value: app },
      { name: 'NAMESPACE', value: namespace },
      ...logs.env,
    ],
    ...(settings.envFrom && { envFrom: settings.envFrom }),
    resources: { requests: resources.requests, limits: resources.limits },
    lifecycle: options.lifecycle,
    ...(settings.securityContext && { securityContext: settings.securityContext }),
    volumeMounts: [...config.mounts, ...logs.sidecarMounts],
  };
}

/** Mounts `filebeat.yml` from the ConfigMap, unless the sidecar already has a mount there. */
export function planConfigMount(
  configMap: string,
  sidecar: DeepReadonly<Container>,
  podVolumes: VolumesByName,
) {
  if (mountAt(withPaths(sidecar), FILEBEAT_CONFIG) !== undefined) return { volumes: [], mounts: [] };
  const name = freeVolumeName('filebeat-config', (candidate) => {
    const volume = podVolumes.get(candidate);
    return volume !== undefined && volume.configMap?.name !== configMap;
  });
  return {
    volumes: [{ name, configMap: { name: configMap } }],
    mounts: [{ name, mountPath: FILEBEAT_CONFIG, subPath: 'filebeat.yml', readOnly: true }],
  };
}
