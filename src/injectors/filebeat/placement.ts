import type { Container, DeepReadonly, OwnerReference, Pod } from '../../sdk/index.ts';
import type { Settings } from './settings.ts';

export const SIDECAR = 'filebeat';

/** The minor version since which native sidecars are enabled by default (KEP-753). */
const NATIVE_SINCE = 29;

type Placement =
  | {
      /** An init container with `restartPolicy: Always`. */
      readonly isNative: boolean;
      /** The sidecar that the Pod already has, from the user or from an earlier call. */
      readonly existing: DeepReadonly<Container> | undefined;
      readonly warnings: readonly string[];
    }
  | { readonly skip: string };

/** Whether the sidecar is an ordinary container or a native sidecar. */
export function placeSidecar(pod: DeepReadonly<Pod>, settings: Settings): Placement {
  const ordinary = pod.spec.containers?.findLast(isSidecar);
  const native = pod.spec.initContainers?.findLast(isSidecar);
  const existing = ordinary ?? native;
  if (ordinary === undefined && native !== undefined && native.restartPolicy !== 'Always')
    return { skip: `init container "${SIDECAR}" is not a sidecar: its restartPolicy is not Always` };

  const { sidecar, kubernetesVersion = NATIVE_SINCE } = settings;
  const isForJob = isOwnedByJob(pod);
  // An ordinary container would keep the Job from finishing, and a native sidecar the Pod from starting.
  if (existing === undefined && isForJob && sidecar === 'auto' && kubernetesVersion < NATIVE_SINCE)
    return { skip: `Kubernetes 1.${kubernetesVersion} does not support native sidecars, which a Job needs` };

  const isNative = existing === undefined ? prefersNative(settings, isForJob) : ordinary === undefined;
  const endless = `filebeat: the Job will never finish: container "${SIDECAR}" keeps running, unlike a native sidecar`;
  return { isNative, existing, warnings: isForJob && !isNative ? [endless] : [] };
}

function isSidecar({ name }: DeepReadonly<Container>): boolean {
  return name === SIDECAR;
}

/** Owners are not validated yet: any of their fields may be missing. */
function isOwnedByJob({ metadata: { ownerReferences } }: DeepReadonly<Pod>): boolean {
  if (!Array.isArray(ownerReferences)) return false;
  return ownerReferences.some((owner: DeepReadonly<Partial<OwnerReference>> | undefined) => {
    const isJob = owner?.kind === 'Job' || owner?.kind === 'CronJob';
    return isJob && String(owner?.apiVersion).startsWith('batch/');
  });
}

function prefersNative({ sidecar, kubernetesVersion }: Settings, isForJob: boolean): boolean {
  if (sidecar !== 'auto') return sidecar === 'native';
  return kubernetesVersion === undefined ? isForJob : kubernetesVersion >= NATIVE_SINCE;
}
