import type { Overlay } from '../../graft/overlay.ts';
import { stable } from '../../json/stable.ts';
import type { Container, EnvVar, VolumeMount } from '../../kube/generated/types.ts';
import type { DeepReadonly } from '../../kube/kube-object.ts';
import type { Credentials } from './credentials.ts';
import { isSamePath } from './mount-path.ts';
import { REGION_VARIABLES } from './settings.ts';

const STS = stable({ name: 'AWS_STS_REGIONAL_ENDPOINTS', value: 'regional' });

export interface Served {
  readonly wish?: Overlay<Container>;
  readonly warnings: readonly string[];
}

export interface Surroundings {
  /** Variables that tell the region; empty where none is to be told. */
  readonly regionEnv: readonly EnvVar[];
  /** Another volume has the token volume's name. */
  readonly foreignVolume: boolean;
}

/** What one container lacks. Only names in `env` count, and what the user has set is never supplemented by half. */
export function serveContainer(
  container: DeepReadonly<Container>,
  credentials: Credentials,
  { regionEnv, foreignVolume }: Surroundings,
): Served {
  const { identity, token, mount, regionalSts } = credentials;
  const { name } = container;
  const [env, volumeMounts] = [container.env ?? [], container.volumeMounts ?? []];
  const has = (variable: string) => env.some((entry) => entry.name === variable);
  const hasIdentity = has(identity[0].name) || has(identity[1].name);
  const hasRegion = REGION_VARIABLES.some(has);
  const hasSts = has(STS.name);
  if (hasIdentity && hasRegion && hasSts) {
    return { warnings: doubts(name, env, volumeMounts, credentials) };
  }

  const mounted = volumeMounts.some((other) => other.name === token.volume);
  const occupant = volumeMounts.find((other) => isSamePath(other.mountPath, token.mountPath));
  const canMount = !foreignVolume && occupant === undefined;
  // Without the token the variables would point to nothing, or to something else.
  if (!mounted && !canMount && !hasIdentity) {
    const obstacle = occupant === undefined ? [] : [occupied(name, occupant)];
    return { warnings: obstacle };
  }

  const addedEnv: EnvVar[] = [];
  if (regionalSts && !hasSts) addedEnv.push(STS);
  if (!hasRegion) addedEnv.push(...regionEnv);
  if (!hasIdentity) addedEnv.push(...identity);
  const addedMounts = mounted || !canMount ? [] : [mount];
  const allIsOurs = !hasIdentity && addedMounts.length > 0;
  const warnings = allIsOurs
    ? []
    : doubts(name, [...env, ...addedEnv], [...volumeMounts, ...addedMounts], credentials);
  if (addedEnv.length === 0 && addedMounts.length === 0) return { warnings };
  return { wish: { name, env: addedEnv, volumeMounts: addedMounts }, warnings };
}

function occupied(container: string, { name, mountPath }: DeepReadonly<VolumeMount>): string {
  return `container "${container}" got no AWS credentials: it mounts volume "${name}" at "${mountPath}"`;
}

/** Whether the AWS SDKs will find what the container's variables promise. */
function doubts(
  container: string,
  env: readonly DeepReadonly<EnvVar>[],
  mounts: readonly { readonly mountPath: string }[],
  { identity, token }: Credentials,
): string[] {
  const [missing, ...others] = identity.filter(({ name }) => !env.some((entry) => entry.name === name));
  if (missing !== undefined && others.length === 0) {
    const set = identity.find((entry) => entry !== missing)?.name;
    return [`container "${container}" sets "${set}" but not "${missing.name}", which is therefore not added`];
  }
  const [, file] = identity;
  const readsToken = env.some(({ name, value }) => name === file.name && value === file.value);
  if (!readsToken || mounts.some(({ mountPath }) => isSamePath(mountPath, token.mountPath))) return [];
  return [`container "${container}" reads "${file.value}", but nothing is mounted at "${token.mountPath}"`];
}
