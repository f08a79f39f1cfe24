import type { JsonObject } from '../../../src/json/json.ts';

/** Departures that random Pods hardly ever reach: an IstioOperator with native sidecars, and a Pod. */
export const RARE: readonly (readonly [reason: string, operator: JsonObject, pod: JsonObject])[] = [
  [
    'a template that patches the proxy among the containers patches the native sidecar',
    operatorWith({
      values: {
        sidecarInjectorWebhook: { templates: { custom: 'spec: {containers: [{name: istio-proxy}]}' } },
      },
    }),
    podWith({ 'inject.istio.io/templates': 'sidecar,custom' }),
  ],
  [
    'a network is added to an empty list of networks without a comma',
    operatorWith({ components: { cni: { enabled: true } }, values: { global: { platform: 'openshift' } } }),
    podWith({ 'k8s.v1.cni.cncf.io/networks': '[]' }),
  ],
  [
    'an interception mode that a second call would refuse is refused at once',
    operatorWith({ components: { cni: { enabled: true } } }),
    podWith({ 'proxy.istio.io/config': '{interceptionMode: 9}' }),
  ],
];

function operatorWith(spec: JsonObject): JsonObject {
  return {
    apiVersion: 'install.istio.io/v1alpha1',
    kind: 'IstioOperator',
    spec: { profile: 'default', ...spec },
  };
}

function podWith(annotations: JsonObject): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'alone', annotations },
    spec: { containers: [{ name: 'web', image: 'web' }] },
  };
}
