/** Differences in the form of Pods that docs/chain.md documents, by the line that shows them. */
export const FORM_DEPARTURES: { readonly [reason: string]: RegExp } = {
  'times keep their zone: only the API server and controllers write them, in UTC':
    /: "[^"]*[+-]\d\d:\d\d" \| "[^"]*Z"$/,
  'requests of the whole Pod are not filled in from its containers and limits':
    /^\/spec\/resources\/requests/,
};

/** The reasons for all lines; undefined if one of them is not documented. */
export function reasonsFor(
  lines: readonly string[],
  departures: { readonly [reason: string]: RegExp },
): string | undefined {
  const reasons = lines.map(
    (line) => Object.entries(departures).find(([, pattern]) => pattern.test(line))?.[0],
  );
  return reasons.includes(undefined) ? undefined : [...new Set(reasons)].sort().join('; ');
}

/**
 * Rules that are left to the API server: `podValidationProblems` warns early of what injection can break,
 * and is not a second implementation.
 */
export const VALIDATION_DEPARTURES: { readonly [reason: string]: RegExp } = {
  'a mount of a volume that is invalid itself is not reported':
    /^only theirs: .*volumeMounts\[\d+\]\.name: Not found/,
  'a volume is reported, even if it repeats the name of an invalid one':
    /^only ours: .*duplicate volume name/,
  'names, owners and reserved annotations of Pods are left to the API server':
    /^only theirs: metadata\.(name|namespace|ownerReferences|annotations\[)/,
  'settings of the whole Pod are left to the API server':
    /^only theirs: spec\.(activeDeadlineSeconds|affinity|containers:|dnsConfig|ephemeralContainers|host|imagePullSecrets|node|os|overhead|priorityClassName|readinessGates|runtimeClassName|scheduling|securityContext|serviceAccountName|subdomain|tolerations|topologySpreadConstraints)/,
  'the contents of volumes are left to the API server': /^only theirs: spec\.volumes\[\d+\]\.\w+[.:]/,
  'references of env to other objects are left to the API server':
    /^only theirs: .*\.(envFrom|env\[\d+\]\.valueFrom\.)/,
  'kinds of resources are left to the API server':
    /^only theirs: (.*ontainers\[\d+\]|spec)\.resources\b(?!.*: must be (less|greater) than or equal to)/,
  'an amount that defaults to a negative one is not reported':
    /^only theirs: .*\.requests\[\w+\]: Invalid value: "-\w+": must be greater than or equal to 0/,
  'details of probes and hooks are left to the API server':
    /^only theirs: .*(httpGet\.(scheme|httpHeaders)|preStop\.sleep|Probe\.terminationGracePeriodSeconds)/,
  'profiles and mount propagation are left to the API server':
    /^only theirs: .*(securityContext\.(appArmorProfile|seccompProfile|procMount)|volumeMounts\.(mountPropagation|recursiveReadOnly))/,
};
