import type { JsonObject } from '../json/json.ts';
import { fill, fillItems, fillMember } from './fill.ts';

type Change = (object: JsonObject) => JsonObject;

/** The API's defaults of webhook configurations, policies and bindings. */
export const admissionDefaults: { readonly [kind: string]: Change } = {
  'admissionregistration.k8s.io/v1/MutatingWebhookConfiguration': (object) =>
    fillItems(object, 'webhooks', (webhook) =>
      fill(webhookDefaults(webhook), { reinvocationPolicy: 'Never' }),
    ),
  'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration': (object) =>
    fillItems(object, 'webhooks', webhookDefaults),
  'admissionregistration.k8s.io/v1/MutatingAdmissionPolicy': policyDefaults,
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy': policyDefaults,
  'admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding': bindingDefaults,
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding': bindingDefaults,
};

function webhookDefaults(webhook: JsonObject): JsonObject {
  const filled = fill(webhook, {
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
  });
  const ruled = fillItems(filled, 'rules', ruleDefaults);
  return fillMember(ruled, 'clientConfig', (config) =>
    fillMember(config, 'service', (service) => fill(service, { port: 443 })),
  );
}

function policyDefaults(object: JsonObject): JsonObject {
  return fillMember(object, 'spec', (spec) =>
    fillMember(fill(spec, { failurePolicy: 'Fail' }), 'matchConstraints', matchDefaults),
  );
}

function bindingDefaults(object: JsonObject): JsonObject {
  return fillMember(object, 'spec', (spec) => fillMember(spec, 'matchResources', matchDefaults));
}

function matchDefaults(match: JsonObject): JsonObject {
  const filled = fill(match, { namespaceSelector: {}, objectSelector: {}, matchPolicy: 'Equivalent' });
  return fillItems(fillItems(filled, 'resourceRules', ruleDefaults), 'excludeResourceRules', ruleDefaults);
}

function ruleDefaults(rule: JsonObject): JsonObject {
  return fill(rule, { scope: '*' });
}
