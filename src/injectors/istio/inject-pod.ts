import { TemplateError } from '../../gotemplate/template-error.ts';
import type { JsonObject } from '../../json/json.ts';
import { PodgraftError } from '../../podgraft-error.ts';
import { type Configuration, templatesFor } from './configuration.ts';
import { orderContainers } from './container-order.ts';
import type { PathEnv } from './inject-path.ts';
import { memoryOf, overridesText, statusText } from './memory.ts';
import { mergeTemplates } from './merge-templates.ts';
import { INTERCEPTION_MODE, NATIVE_SIDECAR, NETWORK_LABEL, OVERRIDES, STATUS, TEMPLATES } from './names.ts';
import { object, textsOf, withTexts } from './pod-json.ts';
import { rewriteProbes } from './probes.ts';
import { mergePrometheus } from './prometheus.ts';
import { record } from './proxy-config.ts';
import { withProxyEnv } from './proxy-env.ts';
import { renderedDocument } from './rendered-documents.ts';
import { followUserIds } from './run-as.ts';
import { keepSaidBefore } from './said-before.ts';
import type { Settings } from './settings.ts';
import { strippedPod } from './stripped-pod.ts';
import type { TemplateData } from './template-data.ts';
import { reapplyUserContainers, userProxy } from './user-containers.ts';
import { blamedTexts } from './validate-annotations.ts';

export interface InjectInput {
  readonly pod: JsonObject;
  readonly configuration: Configuration;
  readonly settings: Settings;
  /** What the webhook's URL says. */
  readonly pathEnv: PathEnv;
  /** All of it but the Pod. */
  readonly data: Omit<TemplateData, 'pod'>;
}

export type Injected =
  | { readonly pod: JsonObject; readonly warnings: readonly string[] }
  | { readonly refused: string };

/** Renders the templates for a Pod and merges them over it, by Istio's rules. */
export function injectPod({ pod, configuration, settings, pathEnv, data }: InjectInput): Injected {
  const { mesh, values } = configuration;
  const memory = memoryOf(pod);
  const again = memory.status !== undefined;
  const annotations = textsOf(pod, 'annotations');
  const statusPort = String(record(mesh.defaultConfig).statusPort ?? '');

  const templates = templatesFor(templateNames(annotations[TEMPLATES], configuration), configuration);
  if ('unknown' in templates) {
    const place = annotations[TEMPLATES] === undefined ? 'defaultTemplates' : `annotation "${TEMPLATES}"`;
    return { refused: `Cannot inject: there is no template "${templates.unknown}", which ${place} names` };
  }
  const seen = { ...data, pod: strippedPod(pod, memory, statusPort) };
  const native = nativeFor(annotations[NATIVE_SIDECAR], data.nativeSidecars);
  try {
    const documents = templates.map((template) => renderedDocument(template, seen));
    const merged = mergeTemplates(pod, documents, native);
    const reapplied = reapplyUserContainers(merged.pod, pod, merged.template, memory);
    const mode = annotations[INTERCEPTION_MODE] ?? data.proxyConfig.interceptionMode;
    let next = followUserIds(reapplied.pod, userProxy(reapplied.overrides), mode === 'TPROXY');
    const overrides = again ? undefined : overridesText(reapplied.overrides);
    if (overrides !== undefined) next = withTexts(next, 'annotations', { [OVERRIDES]: overrides });

    const network = networkOf(pod, pathEnv, values);
    next = withProxyEnv(next, proxyEnv(network, pathEnv, values), { again });
    const scraped = mergePrometheus(next, mesh, { statusPort, again });
    if ('refused' in scraped) return scraped as { readonly refused: string };
    next = withSecurePort(scraped, settings);
    const probed = rewriteProbes(next, {
      rewrite: record(values.sidecarInjectorWebhook).rewriteAppHTTPProbe === true,
      statusPort,
      keepUnknownPorts: settings.keepUnknownPortProbes,
      again,
    });
    next = network === '' ? probed.pod : withTexts(probed.pod, 'labels', { [NETWORK_LABEL]: network });
    next = withTexts(next, 'annotations', {
      [STATUS]: statusText(merged.template, data.revision || 'default'),
      ...configuration.injectedAnnotations,
    });
    next = orderContainers(next, { hold: holds(data.proxyConfig, values) });
    return { pod: again ? keepSaidBefore(next, pod) : next, warnings: probed.warnings };
  } catch (cause) {
    if (cause instanceof TemplateError || cause instanceof PodgraftError)
      return { refused: `Cannot inject: ${cause.message}${blamedTexts(annotations)}` };
    throw cause;
  }
}

function templateNames(
  annotation: string | undefined,
  { defaultTemplates }: Configuration,
): readonly string[] {
  if (annotation === undefined) return defaultTemplates;
  return annotation.split(',').map((name) => name.trim());
}

/** Only these two words count here, while templates take any but "false" for yes. */
function nativeFor(annotation: string | undefined, setting: boolean): boolean {
  return annotation === 'true' || (annotation !== 'false' && setting);
}

/** The Pod's label over the webhook's URL over the values. An empty label says that the values do not hold. */
function networkOf(pod: JsonObject, pathEnv: PathEnv, values: JsonObject): string {
  const label = textsOf(pod, 'labels')[NETWORK_LABEL];
  return label || pathEnv.ISTIO_META_NETWORK || (label ?? text(record(values.global).network));
}

function proxyEnv(network: string, pathEnv: PathEnv, values: JsonObject): Readonly<Record<string, string>> {
  const cluster =
    pathEnv.ISTIO_META_CLUSTER_ID || text(object(record(values.global).multiCluster).clusterName);
  return {
    ...pathEnv,
    ...(cluster !== '' && { ISTIO_META_CLUSTER_ID: cluster }),
    ...(network !== '' && { ISTIO_META_NETWORK: network }),
  };
}

const SECURE_PORT = 'prometheus.istio.io/secure-port';

function withSecurePort(pod: JsonObject, { secureMetricsPort }: Settings): JsonObject {
  if (secureMetricsPort === '' || secureMetricsPort === '0') return pod;
  if (Object.hasOwn(textsOf(pod, 'annotations'), SECURE_PORT)) return pod;
  return withTexts(pod, 'annotations', { [SECURE_PORT]: secureMetricsPort });
}

function holds(proxyConfig: JsonObject, values: JsonObject): boolean {
  const fromValues = record(record(values.global).proxy).holdApplicationUntilProxyStarts;
  return proxyConfig.holdApplicationUntilProxyStarts === true || fromValues === true;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
