import type { Wishes } from './annotations.ts';
import type { ConfigMount } from './config-mount.ts';
import type { LogMounts } from './log-mounts.ts';
import { SIDECAR } from './placement.ts';
import type { FittedResources } from './resources.ts';
import type { Settings } from './settings.ts';

export interface SidecarParts {
  readonly wishes: Wishes;
  readonly resources: FittedResources;
  readonly config: ConfigMount | undefined;
  readonly logs: LogMounts;
  readonly app: string;
  readonly namespace: string;
}

export type Sidecar = ReturnType<typeof sidecarContainer>;

/** The Filebeat container, wherever in the Pod it goes. */
export function sidecarContainer(parts: SidecarParts, settings: Settings) {
  const { wishes, resources, config, logs, app, namespace } = parts;
  return {
    name: SIDECAR,
    image: wishes.image,
    env: [
      { name: 'WORKER', value: wishes.worker },
      { name: 'BulkMaxSize', value: wishes.bulkMaxSize },
      { name: 'LOG_PATH', value: wishes.logPath.text },
      { name: 'APP', value: app },
      { name: 'NAMESPACE', value: namespace },
      ...logs.env,
    ],
    ...(settings.envFrom && { envFrom: settings.envFrom }),
    resources: { requests: resources.requests, limits: resources.limits },
    lifecycle: { preStop: wishes.preStop.hook },
    ...(settings.securityContext && { securityContext: settings.securityContext }),
    volumeMounts: [...(config ? [config.mount] : []), ...(logs.mounts.get(SIDECAR) ?? [])],
  };
}
