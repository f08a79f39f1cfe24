import {
  annotationsOf,
  builtin,
  type DeepReadonly,
  defineInjector,
  deny,
  firstMessages,
  labelsOf,
  type Pod,
  type Request,
  skip,
  target,
} from '../../sdk/index.ts';
import { effectiveProxyConfig, PROXY_CONFIG_KIND } from './config/proxy-config.ts';
import { readProxyConfig } from './config/proxy-config-annotation.ts';
import { configMapRefs, configurationProblems, currentConfiguration } from './current-configuration.ts';
import { annotationProblems } from './decide/annotation-problems.ts';
import { forbiddenAnnotations } from './decide/forbidden-annotations.ts';
import { injectPathEnv, type PathEnv } from './decide/inject-path.ts';
import { decideInjection } from './decide/injection-policy.ts';
import { selectionMismatch, webhookSelectors } from './decide/webhook-selectors.ts';
import { injectPod } from './inject-pod.ts';
import { PROXY_CONFIG } from './names.ts';
import { asObject } from './pod-json.ts';
import { NODE, nativeSidecars } from './render/native-sidecars.ts';
import { DEFAULT_IDS, openshiftIds, withoutSharedIds } from './render/openshift.ts';
import { templateData } from './render/template-data.ts';
import { sharedResourceWarnings } from './rewrite/shared-resources.ts';
import { sample } from './sample.ts';
import { readSettings, type Settings } from './settings.ts';

const NAMESPACE = builtin('Namespace');

export const istio = defineInjector<Settings>({
  name: 'istio',
  summary: "Injects Istio's sidecar by the cluster's own injection templates",
  starter: `# Reads the templates and settings of the ConfigMaps istio-sidecar-injector and istio in istio-system.
with:
  # Decides by the labels of namespace and Pod, as Istio's own webhook does.
  checkSelectors: true
`,
  sample,
  match: {},
  paths: ['/inject'],
  selections: webhookSelectors,
  reads: (settings) => [
    ...configMapRefs(settings).map(({ ref, ...place }) => ({ ...ref, ...place, fields: ['data'] })),
    { ...NAMESPACE, fields: [] },
    { ...PROXY_CONFIG_KIND, fields: ['spec'] },
    ...(settings.nativeSidecars === 'auto' ? [{ ...NODE, fields: ['status.nodeInfo'] }] : []),
  ],
  needs: (_, { config }) => configMapRefs(config),
  config: readSettings,
  problems: configurationProblems,
  inject(pod, context) {
    const { request, config: settings, cluster } = context;
    const { loaded, problem } = currentConfiguration(settings, cluster);
    const { configuration, templates, defaultTemplates } = loaded;
    const namespace = cluster.get(NAMESPACE, undefined, request.namespace);
    if (settings.checkSelectors) {
      const { enableNamespacesByDefault } = asObject(configuration.values.sidecarInjectorWebhook);
      const mismatch = selectionMismatch(pod, request.namespace, namespace, {
        ...settings,
        enableNamespacesByDefault: enableNamespacesByDefault === true || settings.enableNamespacesByDefault,
      });
      if (mismatch !== undefined) return skip(mismatch);
    }
    const { reason, warnings } = decideInjection(pod, request.namespace, configuration);
    if (reason !== undefined) return skip(reason, warnings);
    const forbidden = forbiddenAnnotations(annotationsOf(pod), settings.forbiddenAnnotations);
    if (forbidden !== undefined) return deny(forbidden);
    const problems = annotationProblems(annotationsOf(pod));
    if (problems.length > 0) return deny(firstMessages(problems).join('; '));

    const isOpenshift = settings.platform === 'openshift';
    const ids = isOpenshift ? openshiftIds(namespace) : DEFAULT_IDS;
    const { config: annotated } = readProxyConfig(annotationsOf(pod)[PROXY_CONFIG]);
    const place = { namespace: request.namespace, labels: labelsOf(pod), cluster };
    const data = templateData(isOpenshift ? withoutSharedIds(pod) : pod, configuration, settings, {
      namespace: request.namespace,
      proxyConfig: effectiveProxyConfig(configuration.mesh, annotated, place),
      nativeSidecars: nativeSidecars(settings.nativeSidecars, pod.spec?.nodeName, cluster),
      ids,
    });
    const injected = injectPod({
      configuration,
      templates,
      defaultTemplates,
      settings,
      pathEnv: pathEnvOf(request, settings),
      data,
      review: request,
    });
    if ('refused' in injected) return deny(injected.refused);
    return target(injected.pod as DeepReadonly<Pod>, [
      ...configuration.warnings,
      ...(problem === undefined ? [] : [problem]),
      ...warnings,
      ...ids.warnings,
      ...injected.warnings,
      ...sharedResourceWarnings(injected.pod),
    ]);
  },
});

/** From the URL of the request, or from the settings if the URL sets nothing. */
function pathEnvOf({ path }: Pick<Request, 'path'>, settings: Settings): PathEnv {
  const env = path === undefined ? {} : injectPathEnv(path);
  return Object.keys(env).length === 0 ? settings.pathEnv : env;
}
