import { goStructs } from './go-structs.mjs';

/**
 * Where podgraft merges differently from Kubernetes' OpenAPI, each with its reason. Reviewed by hand; everything else is
 * generated. A value is a function from the generated shape (as source text) to the shape to use instead.
 */
const set = (item) => () => `set(${item})`;
const keyed = (key, item) => () => `list(['${key}'], ${item})`;
const whole = (generated) => `whole(${generated})`;
const omittedFalse = () => 'OMITTED_FALSE';

export const fieldExceptions = {
  // Atomic in the API because order may matter, yet every entry is an addition: two injectors must not exclude each other.
  'Container.envFrom': set('EnvFromSource'),
  'EphemeralContainer.envFrom': set('EnvFromSource'),
  'Capabilities.add': set('ANY'),
  'Capabilities.drop': set('ANY'),
  'PodSpec.tolerations': set('Toleration'),
  'PodSpec.readinessGates': set('PodReadinessGate'),
  'PodSecurityContext.supplementalGroups': set('ANY'),
  'PodSecurityContext.sysctls': keyed('name', 'Sysctl'),
  'PodDNSConfig.nameservers': set('ANY'),
  'PodDNSConfig.searches': set('ANY'),
  'PodDNSConfig.options': keyed('name', 'PodDNSConfigOption'),
  'HostAlias.hostnames': set('ANY'),
  // Preferences add up; the required terms of a node are alternatives, so they stay atomic.
  'NodeAffinity.preferredDuringSchedulingIgnoredDuringExecution': set('PreferredSchedulingTerm'),
  'PodAffinity.preferredDuringSchedulingIgnoredDuringExecution': set('WeightedPodAffinityTerm'),
  'PodAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution': set('WeightedPodAffinityTerm'),
  // Atomic for server-side apply, merged by key by every other client.
  'PodSpec.nodeSelector': () => 'map(ANY)',
  // Mixing two handlers, probes or strategies would give neither.
  'Container.livenessProbe': whole,
  'Container.readinessProbe': whole,
  'Container.startupProbe': whole,
  'EphemeralContainer.livenessProbe': whole,
  'EphemeralContainer.readinessProbe': whole,
  'EphemeralContainer.startupProbe': whole,
  'Lifecycle.preStop': whole,
  'Lifecycle.postStart': whole,
  'SecurityContext.seLinuxOptions': whole,
  'SecurityContext.seccompProfile': whole,
  'SecurityContext.appArmorProfile': whole,
  'SecurityContext.windowsOptions': whole,
  'PodSecurityContext.seLinuxOptions': whole,
  'PodSecurityContext.seccompProfile': whole,
  'PodSecurityContext.appArmorProfile': whole,
  'PodSecurityContext.windowsOptions': whole,
  'DeploymentSpec.strategy': whole,
  'DaemonSetSpec.updateStrategy': whole,
  'StatefulSetSpec.updateStrategy': whole,
  // Not pointers in Go: `false` is dropped on the way through the API server.
  'PodSpec.hostNetwork': omittedFalse,
  'PodSpec.hostPID': omittedFalse,
  'PodSpec.hostIPC': omittedFalse,
  'Container.stdin': omittedFalse,
  'Container.stdinOnce': omittedFalse,
  'Container.tty': omittedFalse,
  'EphemeralContainer.stdin': omittedFalse,
  'EphemeralContainer.stdinOnce': omittedFalse,
  'EphemeralContainer.tty': omittedFalse,
  'VolumeMount.readOnly': omittedFalse,
};

/** Keys that the API server fills in: an overlay may leave them out. */
export const keyDefaults = {
  ContainerPort: { protocol: 'TCP' },
  ServicePort: { protocol: 'TCP' },
  TopologySpreadConstraint: {},
};

/**
 * Structs of which only one field may be set; `except` are the fields outside the union. Members are taken whole, but for `merged` ones,
 * whose fields do not depend on each other.
 */
export const unions = {
  EnvVar: { except: ['name'], unionDefault: { field: 'value', value: '' } },
  Volume: { except: ['name'], merged: ['emptyDir'] },
};

/** The API server fills in `''` if these are missing. */
const defaultedToEmpty = new Set(['HostPathVolumeSource.type', 'GRPCAction.service']);

/** Pointers to string in Go, which keep `''`: it is a value, not the absence of one. */
export const meaningfulEmptyStrings = new Set([
  'PersistentVolumeClaimSpec.storageClassName',
  'EphemeralContainer.restartPolicy',
  ...Object.entries(goStructs)
    .flatMap(([name, fields]) => fields.split(/\s+/).map((field) => `${name}.${field}`))
    .filter((field) => field.includes('*'))
    .map((field) => field.replace(/[*!?]+$/, ''))
    .filter((field) => !defaultedToEmpty.has(field)),
]);
