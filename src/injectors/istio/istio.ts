import type { Pod } from '../../kube/generated/types.ts';
import { annotationsOf, asJson, type DeepReadonly, labelsOf } from '../../kube/kube-object.ts';
import { matchesSelector } from '../../kube/label-selector.ts';
import { builtin } from '../../kube/resource.ts';
import { type Context, defineInjector } from '../../sdk/injector.ts';
import type { Request } from '../../sdk/request.ts';
import { deny, skip, target } from '../../sdk/verdict.ts';
import type { Configuration } from './configuration.ts';
import { configMapRefs, configurationProblems, currentConfiguration } from './current-configuration.ts';
import { injectPathEnv, type PathEnv } from './inject-path.ts';
import { injectPod } from './inject-pod.ts';
import { decideInjection } from './injection-policy.ts';
import { PROXY_CONFIG, PROXY_IMAGE_TYPE } from './names.ts';
import { NODE, nativeSidecars } from './native-sidecars.ts';
import { DEFAULT_IDS, openshiftIds, type ProxyIds, withoutSharedIds } from './openshift.ts';
import { ownerOf } from './owner.ts';
import { effectiveProxyConfig, PROXY_CONFIG_KIND, record } from './proxy-config.ts';
import { readProxyConfig } from './proxy-config-annotation.ts';
import { proxyImage, proxyInitImage } from './proxy-image.ts';
import { readSettings, type Settings } from './settings.ts';
import { sharedResourceWarnings } from './shared-resources.ts';
import type { TemplateData } from './template-data.ts';
import { annotationProblems } from './validate-annotations.ts';
import { webhookSelectors } from './webhook-selectors.ts';

const NAMESPACE = builtin('Namespace');

export const istio = defineInjector<Settings>({
  name: 'istio',
  summary: "Injects Istio's sidecar by the cluster's own injection templates",
  idempotent: true,
  match: {},
  selections: webhookSelectors,
  reads: (settings) => [
    ...configMapRefs(settings).map(({ ref, ...place }) => ({ ...ref, ...place, fields: ['data'] })),
    { ...NAMESPACE, fields: [] },
    { ...PROXY_CONFIG_KIND, fields: ['spec'] },
    // There may be thousands, and a node's status is long.
    ...(settings.nativeSidecars === 'auto' ? [{ ...NODE, fields: ['status.nodeInfo'] }] : []),
  ],
  needs: (_, settings) => configMapRefs(settings),
  config: readSettings,
  problems: configurationProblems,
  inject(found, context) {
    const { request, config: settings, cluster } = context;
    const { configuration, problem } = currentConfiguration(settings, cluster);
    const general = [...configuration.warnings, ...(problem === undefined ? [] : [problem])];
    const unselected = settings.checkSelectors ? selectionMismatch(found, context, configuration) : undefined;
    if (unselected !== undefined) return skip(unselected);
    const { reason, warnings } = decideInjection(found, request.namespace, configuration.rules);
    if (reason !== undefined) return skip(reason, warnings);

    const problems = annotationProblems(annotationsOf(found));
    if (problems.length > 0) return deny(problems.join('; '));
    const onOpenshift = settings.platform === 'openshift';
    const ids = onOpenshift
      ? openshiftIds(cluster.get(NAMESPACE, undefined, request.namespace))
      : DEFAULT_IDS;
    const data = dataFor(found, context, configuration, ids);
    const pod = onOpenshift ? withoutSharedIds(asJson(found)) : asJson(found);
    const injected = injectPod({ pod, configuration, settings, pathEnv: pathEnvOf(request, settings), data });
    if ('refused' in injected) return deny(injected.refused);
    return target(injected.pod as DeepReadonly<Pod>, [
      ...general,
      ...warnings,
      ...ids.warnings,
      ...injected.warnings,
      ...sharedResourceWarnings(injected.pod),
    ]);
  },
});

/** What the URL of this request says; where it says nothing, what the settings say that it would. */
function pathEnvOf({ path }: Request, settings: Settings): PathEnv {
  const said = path === undefined ? {} : injectPathEnv(path);
  return Object.keys(said).length === 0 ? settings.pathEnv : said;
}

function dataFor(
  pod: DeepReadonly<Pod>,
  { request, cluster, config: settings }: Context<Settings>,
  { mesh, values }: Configuration,
  ids: ProxyIds,
): Omit<TemplateData, 'pod'> {
  const { namespace } = request;
  const annotations = annotationsOf(pod);
  const own = readProxyConfig(annotations[PROXY_CONFIG]);
  const proxyConfig = effectiveProxyConfig(mesh, own.config, { namespace, labels: labelsOf(pod), cluster });
  const imageType = annotations[PROXY_IMAGE_TYPE];
  return {
    owner: ownerOf(pod),
    namespace,
    proxyConfig,
    meshConfig: mesh,
    values,
    revision: settings.revision,
    nativeSidecars: nativeSidecars(settings.nativeSidecars, pod.spec?.nodeName, cluster),
    proxyImage: proxyImage(values, proxyConfig, imageType),
    proxyInitImage: proxyInitImage(values, imageType),
    proxyUid: ids.uid,
    proxyGid: ids.gid,
    compliancePolicy: settings.compliancePolicy,
  };
}

/** Why none of Istio's webhook configurations would have sent this Pod; undefined when one would. */
function selectionMismatch(
  pod: DeepReadonly<Pod>,
  { request, cluster, config: settings }: Context<Settings>,
  { values }: Configuration,
): string | undefined {
  const namespace = cluster.get(NAMESPACE, undefined, request.namespace);
  const labels = {
    'kubernetes.io/metadata.name': request.namespace,
    ...(namespace === undefined ? {} : labelsOf(namespace)),
  };
  const isDefault = record(values.sidecarInjectorWebhook).enableNamespacesByDefault === true;
  const selectors = webhookSelectors({
    ...settings,
    enableNamespacesByDefault: isDefault || settings.enableNamespacesByDefault,
  });
  const selected = selectors.some(
    ({ namespaceSelector, objectSelector }) =>
      matchesSelector(namespaceSelector, labels) && matchesSelector(objectSelector, labelsOf(pod)),
  );
  if (selected) return undefined;
  return `labels of namespace "${request.namespace}" and Pod do not select revision "${settings.revision}"`;
}
