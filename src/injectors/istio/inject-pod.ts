import { TemplateError } from '../../gotemplate/index.ts';
import { type Json, type JsonObject, PodgraftError, sameJson } from '../../sdk/index.ts';
import type { Configuration } from './config/configuration.ts';
import { invalidJsonNote } from './decide/annotation-problems.ts';
import { guardrailProblem } from './decide/guardrails.ts';
import type { PathEnv } from './decide/inject-path.ts';
import { mergeTemplates, type TemplateNames } from './merge/merge-templates.ts';
import { containerNames, podAtNextCall, podBeforeInjection } from './merge/pod-before-injection.ts';
import {
  type Overrides,
  overridesText,
  type PreviousInjection,
  previousInjection,
  statusText,
} from './merge/previous-injection.ts';
import { reapplyUserContainers } from './merge/user-containers.ts';
import {
  INTERCEPTION_MODE,
  NATIVE_SIDECAR,
  NETWORK_LABEL,
  OVERRIDES,
  PROXY,
  STATUS,
  TEMPLATES,
} from './names.ts';
import { asObject, containersOf, metadataOf, named, withMetadata } from './pod-json.ts';
import { MOST_TEMPLATES, namedTemplates } from './render/named-templates.ts';
import type { PodTemplate } from './render/pod-template.ts';
import { renderTemplate } from './render/render-template.ts';
import type { TemplateData } from './render/template-data.ts';
import { followProxyIds } from './rewrite/follow-proxy-ids.ts';
import { keepEquivalentEnv } from './rewrite/keep-equivalent-env.ts';
import { mergePrometheus } from './rewrite/merge-prometheus.ts';
import { orderContainers } from './rewrite/order-containers.ts';
import { withProxyEnv } from './rewrite/proxy-env.ts';
import { rewriteProbes } from './rewrite/rewrite-probes.ts';
import { withSecurePort } from './rewrite/secure-port.ts';
import type { Settings } from './settings.ts';

export interface InjectInput {
  readonly configuration: Configuration;
  readonly templates: ReadonlyMap<string, PodTemplate>;
  /** For Pods that do not name templates. */
  readonly defaultTemplates: readonly PodTemplate[];
  readonly settings: Settings;
  /** From the URL of the webhook. */
  readonly pathEnv: PathEnv;
  /** Includes the Pod to inject. */
  readonly data: TemplateData;
  /** The same object for all calls for one Pod. */
  readonly review?: object;
}

export type Injected =
  | { readonly pod: JsonObject; readonly warnings: readonly string[] }
  | { readonly refused: string };

/** Renders the templates for a Pod, merges them over it and rewrites the result, by Istio's rules. */
export function injectPod(input: InjectInput): Injected {
  const { configuration, templates, defaultTemplates, data } = input;
  const annotations = metadataOf(data.pod, 'annotations');
  const requested = annotations[TEMPLATES]?.split(',', MOST_TEMPLATES + 1).map((name) => name.trim());
  const chosen =
    requested === undefined
      ? { templates: defaultTemplates }
      : namedTemplates(requested, `annotation "${TEMPLATES}"`, configuration, templates);
  if ('refused' in chosen) return chosen;
  try {
    return withTemplates(input, chosen.templates);
  } catch (cause) {
    if (cause instanceof TemplateError || cause instanceof PodgraftError)
      return { refused: `Cannot inject: ${cause.message}${invalidJsonNote(annotations)}` };
    throw cause;
  }
}

function withTemplates(
  { configuration, settings, pathEnv, data, review }: InjectInput,
  templates: readonly PodTemplate[],
): Injected {
  const { pod } = data;
  const { mesh, values } = configuration;
  const annotations = metadataOf(pod, 'annotations');
  const statusPort = String(asObject(mesh.defaultConfig).statusPort ?? '');
  const previous = previousInjection(pod);
  const isReinjection = previous.status !== undefined;

  const nativeSidecars = wasNative(previous) ?? data.nativeSidecars;
  const visible = podBeforeInjection(pod, previous, statusPort);
  const render = (shown: JsonObject) => {
    const shownData = { ...data, nativeSidecars, pod: shown };
    return templates.map((template) => renderTemplate(template, shownData, review));
  };
  const documents = render(visible);

  const merged = mergeTemplates(pod, documents, {
    isNative: isNative(annotations[NATIVE_SIDECAR], nativeSidecars),
    isReinjection,
  });
  const { pod: reapplied, overrides } = reapplyUserContainers(merged.pod, pod, merged.names, previous);

  const userProxy = named(overrides.containers, PROXY) ?? named(overrides.initContainers, PROXY);
  const isTproxy = [annotations[INTERCEPTION_MODE], data.proxyConfig.interceptionMode].includes('TPROXY');
  const network = networkOf(pod, pathEnv, values);
  let next = followProxyIds(reapplied, userProxy, isTproxy);
  const own = isReinjection ? extended(previous.overrides, overrides) : overrides;
  const recorded = own && overridesText(own);
  if (recorded !== undefined) next = withMetadata(next, 'annotations', { [OVERRIDES]: recorded });
  const problem = guardrailProblem({ ...merged, pod: next }, settings);
  if (problem !== undefined) return { refused: problem };
  next = withProxyEnv(next, proxyEnv(network, pathEnv, values), { isReinjection });
  const scraped = mergePrometheus(next, mesh, { statusPort, isReinjection });
  if ('refused' in scraped) return scraped;
  const probed = rewriteProbes(withSecurePort(scraped.pod), {
    isDefault: asObject(values.sidecarInjectorWebhook).rewriteAppHTTPProbe === true,
    statusPort,
    keepUnknownPorts: settings.keepUnknownPortProbes,
    isReinjection,
  });
  next = network === '' ? probed.pod : withMetadata(probed.pod, 'labels', { [NETWORK_LABEL]: network });
  next = orderContainers(next, { isHeld: isHeld(data.proxyConfig, values) });
  const atNextCall = isReinjection
    ? undefined
    : podAtNextCall(visible, next, {
        status: nameSets(merged.names),
        overrides: own ?? overrides,
        before: undefined,
      });
  // Usually the templates render the same, even if they see other containers then.
  const isRecorded = atNextCall !== undefined && !sameJson(render(atNextCall), documents);
  const before = isRecorded ? containerNames(visible) : previous.before;
  const removed = isRecorded ? withRemoved(overrides, pod, next, merged.names) : overrides;
  if (removed !== overrides)
    next = withMetadata(next, 'annotations', { [OVERRIDES]: overridesText(removed) });
  next = withMetadata(next, 'annotations', {
    [STATUS]: statusText(merged.names, data.revision || 'default', before),
    ...configuration.injectedAnnotations,
  });
  return { pod: isReinjection ? keepEquivalentEnv(next, pod) : next, warnings: probed.warnings };
}

/**
 * The earlier record with containers that were added since, to which a template may refer: the next call must know them. Undefined
 * if there are none.
 */
function extended(previous: Overrides, found: Overrides): Overrides | undefined {
  const added = (field: keyof Overrides) => {
    const names = new Set(previous[field].map(({ name }) => name));
    return found[field].filter(({ name }) => !names.has(name));
  };
  const [containers, initContainers] = [added('containers'), added('initContainers')];
  if (containers.length === 0 && initContainers.length === 0) return undefined;
  return {
    containers: [...previous.containers, ...containers],
    initContainers: [...previous.initContainers, ...initContainers],
  };
}

/** With the containers that templates removed: the next call shows them to templates again. */
function withRemoved(
  overrides: Overrides,
  original: JsonObject,
  result: JsonObject,
  names: TemplateNames,
): Overrides {
  const known = new Set([...names.containers, ...names.initContainers]);
  for (const field of CONTAINER_FIELDS)
    for (const { name } of containersOf(result, field)) known.add(String(name));
  const removed = (field: keyof Overrides) =>
    containersOf(original, field).filter(({ name }) => !known.has(String(name)));
  const [containers, initContainers] = [removed('containers'), removed('initContainers')];
  if (containers.length === 0 && initContainers.length === 0) return overrides;
  return {
    containers: [...overrides.containers, ...containers],
    initContainers: [...overrides.initContainers, ...initContainers],
  };
}

const CONTAINER_FIELDS = ['containers', 'initContainers'] as const;

function nameSets({ containers, initContainers }: TemplateNames): NonNullable<PreviousInjection['status']> {
  return { containers: new Set(containers), initContainers: new Set(initContainers) };
}

/** The decision of an earlier injection; nodes and settings may have changed since. */
function wasNative({ status }: PreviousInjection): boolean | undefined {
  if (status?.initContainers.has(PROXY)) return true;
  return status?.containers.has(PROXY) ? false : undefined;
}

/** Only these two values count here, while for templates every value but "false" means yes. */
function isNative(annotation: string | undefined, setting: boolean): boolean {
  return annotation === 'true' || (annotation !== 'false' && setting);
}

/** The Pod's label, else the URL's network, else the one of the values. An empty label excludes the values. */
function networkOf(pod: JsonObject, pathEnv: PathEnv, values: JsonObject): string {
  const label = metadataOf(pod, 'labels')[NETWORK_LABEL];
  return label || pathEnv.ISTIO_META_NETWORK || (label ?? text(asObject(values.global).network));
}

function proxyEnv(network: string, pathEnv: PathEnv, values: JsonObject): Readonly<Record<string, string>> {
  const { clusterName } = asObject(asObject(values.global).multiCluster);
  const cluster = pathEnv.ISTIO_META_CLUSTER_ID || text(clusterName);
  return {
    ...pathEnv,
    ...(cluster !== '' && { ISTIO_META_CLUSTER_ID: cluster }),
    ...(network !== '' && { ISTIO_META_NETWORK: network }),
  };
}

function isHeld(proxyConfig: JsonObject, values: JsonObject): boolean {
  const { holdApplicationUntilProxyStarts } = asObject(asObject(values.global).proxy);
  return proxyConfig.holdApplicationUntilProxyStarts === true || holdApplicationUntilProxyStarts === true;
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
