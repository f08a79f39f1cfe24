import {
  annotationsOf,
  type ClusterView,
  type Container,
  type Context,
  type DeepReadonly,
  defineInjector,
  deny,
  firstMessages,
  isObjectName,
  labelsOf,
  type ObjectRef,
  type Overlay,
  overlay,
  type Pod,
  skip,
  type Verdict,
} from '../../sdk/index.ts';
import { CONFIG_MAP, ROLE_MAP_NAME, SERVICE_ACCOUNT } from './account.ts';
import { containerOverlay } from './container-overlay.ts';
import { type Credentials, findCredentials, serviceAccountNameOf } from './credentials.ts';
import { csvRecord } from './csv-record.ts';
import { sample } from './sample.ts';
import { readSettings, type Settings } from './settings.ts';
import { holdsToken, tokenVolume } from './token.ts';

export const podIdentity = defineInjector<Settings>({
  name: 'pod-identity',
  summary: 'Gives Pods AWS credentials by their ServiceAccount: IAM roles (IRSA) and EKS Pod Identity',
  starter: `# Reads the annotation eks.amazonaws.com/role-arn of the Pod's ServiceAccount.
with:
  awsDefaultRegion: eu-central-1
  stsRegionalEndpoint: true
`,
  sample,
  match: {},
  reads: ({ watchConfigMap, namespace }) => [
    SERVICE_ACCOUNT,
    ...(watchConfigMap ? [{ ...CONFIG_MAP, namespace, name: ROLE_MAP_NAME }] : []),
  ],
  needs,
  files: ({ identities }) => (identities === undefined ? [] : [identities]),
  config: readSettings,
  problems,
  inject,
});

/** Independent of `annotationPrefix`: the original's webhook configuration excludes Pods with this very label. */
const OPT_OUT = 'eks.amazonaws.com/skip-pod-identity-webhook';

function needs(
  pod: DeepReadonly<Pod>,
  { request, config }: Pick<Context<Settings>, 'request' | 'config'>,
): readonly ObjectRef[] {
  const { namespace } = request;
  const name = serviceAccountNameOf(pod);
  if (!isObjectName(name)) return [];
  const account = { ref: SERVICE_ACCOUNT, namespace, name };
  if (!config.watchConfigMap) return [account];
  return [account, { ref: CONFIG_MAP, namespace: config.namespace, name: ROLE_MAP_NAME }];
}

function problems(config: Settings, cluster: ClusterView): readonly string[] {
  const found = config.identities?.problems() ?? [];
  const configMap = config.watchConfigMap
    ? cluster.get(CONFIG_MAP, config.namespace, ROLE_MAP_NAME)
    : undefined;
  const map = configMap && config.roleMapOf(configMap);
  if (map === undefined || !('problem' in map)) return found;
  return [...found, `ConfigMap "${config.namespace}/${ROLE_MAP_NAME}": ${map.problem}`];
}

function inject(pod: DeepReadonly<Pod>, context: Context<Settings>): Verdict {
  if (Object.hasOwn(labelsOf(pod), OPT_OUT)) return skip(`label "${OPT_OUT}" is set`);
  const found = findCredentials(pod, context);
  const verdict = 'token' in found ? injectCredentials(pod, found, context.config) : found;
  if (!context.config.strict || 'deny' in verdict || verdict.warnings === undefined) return verdict;
  return deny(verdict.warnings.join('; '));
}

function injectCredentials(pod: DeepReadonly<Pod>, credentials: Credentials, config: Settings): Verdict {
  const { token, labels } = credentials;
  const volume = pod.spec?.volumes?.find(({ name }) => name === token.volume);
  const isForeign = volume !== undefined && !holdsToken(volume, token);
  const skipped = skippedContainers(pod, config);
  const warnings = [...credentials.warnings, ...(isForeign ? [notTokenVolume(token.volume)] : [])];

  const overlays = (containers: readonly DeepReadonly<Container>[] | undefined) => {
    const list: Overlay<Container>[] = [];
    for (const container of containers ?? []) {
      // The API server rejects a container without a name.
      if (container.name === undefined || skipped.has(container.name)) continue;
      const result = containerOverlay(container, credentials, { regionEnv: config.regionEnv, isForeign });
      if (result.overlay !== undefined) list.push(result.overlay);
      warnings.push(...result.warnings);
    }
    return list.length === 0 ? undefined : list;
  };
  return overlay(
    {
      metadata: { labels },
      spec: {
        volumes: volume === undefined ? [tokenVolume(token)] : undefined,
        containers: overlays(pod.spec?.containers),
        initContainers: overlays(pod.spec?.initContainers),
      },
    },
    firstMessages(warnings),
  );
}

/** The API server's limit for all annotations of an object: it rejects Pods with longer ones. */
const MAX_ANNOTATIONS = 256 * 1024;

function skippedContainers(pod: DeepReadonly<Pod>, { annotations }: Settings): ReadonlySet<string> {
  // In a manifest file the value may still be a number.
  const list = String(annotationsOf(pod)[annotations.skipContainers] ?? '');
  return list === '' || list.length > MAX_ANNOTATIONS ? NO_CONTAINERS : new Set(csvRecord(list));
}

const NO_CONTAINERS: ReadonlySet<string> = new Set();

function notTokenVolume(volume: string): string {
  return `volume "${volume}" is not a token volume: containers that do not mount it get no AWS credentials`;
}
