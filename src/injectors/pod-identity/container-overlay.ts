import {
  type Container,
  type DeepReadonly,
  type EnvVar,
  type Overlay,
  quoted,
  type VolumeMount,
} from '../../sdk/index.ts';
import type { Credentials } from './credentials.ts';
import { REGION_VARIABLES } from './settings.ts';
import { isSamePath } from './token.ts';

const REGIONAL_STS = { name: 'AWS_STS_REGIONAL_ENDPOINTS', value: 'regional' };

interface PodContext {
  /** Empty if no region is configured. */
  readonly regionEnv: readonly EnvVar[];
  /** The Pod has another volume with the token volume's name. */
  readonly isForeign: boolean;
}

/** The missing variables and mount of a container. Only names in `env` count, and a half-set identity pair is not completed. */
export function containerOverlay(
  container: DeepReadonly<Container>,
  credentials: Credentials,
  { regionEnv, isForeign }: PodContext,
): { readonly overlay?: Overlay<Container>; readonly warnings: readonly string[] } {
  const { identity, token, regionalSts } = credentials;
  const { name, env = [], volumeMounts = [] } = container;
  const has = (variable: string) => env.some((entry) => entry.name === variable);
  const hasIdentity = identity.some((variable) => has(variable.name));
  const hasRegion = REGION_VARIABLES.some(has);
  const hasSts = has(REGIONAL_STS.name);

  const isMounted = volumeMounts.some((mount) => mount.name === token.volume);
  const occupant = volumeMounts.find(({ mountPath }) => isSamePath(mountPath, token.mountPath));
  const canMount = !isMounted && !isForeign && occupant === undefined;
  // Without the token the variables would refer to a missing or a different file.
  if (!isMounted && !canMount && !hasIdentity) {
    return { warnings: occupant === undefined ? [] : [occupied(name, occupant)] };
  }
  const added: EnvVar[] = [];
  if (regionalSts && !hasSts) added.push(REGIONAL_STS);
  if (!hasRegion) added.push(...regionEnv);
  if (!hasIdentity) added.push(...identity);
  const isComplete = hasIdentity && hasRegion && hasSts;
  const mounts =
    canMount && !isComplete ? [{ name: token.volume, readOnly: true, mountPath: token.mountPath }] : [];
  const hasToken = occupant !== undefined || mounts.length > 0;
  const warnings = identityWarnings(name, hasIdentity ? env : identity, hasToken, credentials);
  if (added.length === 0 && mounts.length === 0) return { warnings };
  return { overlay: { name, env: added, volumeMounts: mounts }, warnings };
}

function occupied(container: string, { name, mountPath }: DeepReadonly<VolumeMount>): string {
  return `container ${quoted(container)} got no AWS credentials: it mounts volume ${quoted(name)} at ${quoted(mountPath)}`;
}

/** Whether the AWS SDKs will find everything that the container's variables refer to. */
function identityWarnings(
  container: string,
  env: readonly DeepReadonly<EnvVar>[],
  hasToken: boolean,
  { identity, token: { mountPath } }: Credentials,
): string[] {
  const [missing, ...others] = identity.filter(({ name }) => !env.some((entry) => entry.name === name));
  if (missing !== undefined && others.length === 0) {
    const set = identity.find((variable) => variable !== missing)?.name;
    return [`container ${quoted(container)} sets "${set}" but not "${missing.name}", which is not added`];
  }
  const [, file] = identity;
  const readsToken = env.some(({ name, value }) => name === file.name && value === file.value);
  if (!readsToken || hasToken) return [];
  return [`container ${quoted(container)} reads "${file.value}", but nothing is mounted at "${mountPath}"`];
}
