import type { Container, Pod } from '../../kube/generated/types.ts';
import type { DeepReadonly } from '../../kube/kube-object.ts';
import type { Settings } from './settings.ts';

export const SIDECAR = 'filebeat';

/** Sidecar containers are on by default from here on (KEP-753). */
const NATIVE_SINCE = 29;

export type Placement =
  | {
      readonly list: 'containers' | 'initContainers';
      /** The Pod has it already, from the user or from an earlier call. */
      readonly found: DeepReadonly<Container> | undefined;
      readonly warnings: readonly string[];
    }
  | { readonly skip: string };

/** Where the sidecar goes: to the containers or, as a native one, to the init containers, where it goes on running. */
export function placeSidecar(pod: DeepReadonly<Pod>, settings: Settings): Placement {
  const ordinary = pod.spec.containers?.find(({ name }) => name === SIDECAR);
  if (ordinary !== undefined) return inContainers(pod, ordinary);
  const native = pod.spec.initContainers?.find(({ name }) => name === SIDECAR);
  if (native !== undefined) {
    if (native.restartPolicy === 'Always') return inInitContainers(native);
    return { skip: `init container "${SIDECAR}" is not a sidecar: its restartPolicy is not Always` };
  }
  const { sidecar, kubernetesVersion } = settings;
  if (sidecar === 'container') return inContainers(pod);
  if (sidecar === 'native') return inInitContainers();
  if (kubernetesVersion === undefined) return isOfJob(pod) ? inInitContainers() : inContainers(pod);
  if (kubernetesVersion >= NATIVE_SINCE) return inInitContainers();
  // As an ordinary container it would keep the Job from finishing, as a native one the Pod from starting.
  if (isOfJob(pod))
    return { skip: `Kubernetes 1.${kubernetesVersion} has no native sidecars, which a Job needs` };
  return inContainers(pod);
}

function inContainers(pod: DeepReadonly<Pod>, found?: DeepReadonly<Container>): Placement {
  const endless = `filebeat: the Job will not finish: its container "${SIDECAR}" runs on, unlike a native sidecar`;
  return { list: 'containers', found, warnings: isOfJob(pod) ? [endless] : [] };
}

function inInitContainers(found?: DeepReadonly<Container>): Placement {
  return { list: 'initContainers', found, warnings: [] };
}

function isOfJob({ metadata: { ownerReferences = [] } }: DeepReadonly<Pod>): boolean {
  return ownerReferences.some(
    ({ kind, apiVersion }) => (kind === 'Job' || kind === 'CronJob') && apiVersion.startsWith('batch/'),
  );
}
