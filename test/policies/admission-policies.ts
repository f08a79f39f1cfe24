import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../src/kube/kube-object.ts';

const REGISTRATION = 'admissionregistration.k8s.io/v1';

/** ConfigMaps with this name and namespace are the policies' parameters. */
export const SETTINGS = { namespace: 'platform', name: 'house' } as const;

export function settings(data: { readonly [key: string]: string }): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...SETTINGS }, data } as KubeObject;
}

/**
 * A mutating policy that applies a configuration and a patch, both from parameters; and validating policies that deny with an audit
 * annotation, and that warn.
 */
export const POLICIES: readonly KubeObject[] = parseAllDocuments(`
apiVersion: ${REGISTRATION}
kind: MutatingAdmissionPolicy
metadata: {name: house-team}
spec:
  reinvocationPolicy: IfNeeded
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
  matchConditions:
    - {name: not-plain, expression: "!has(object.metadata.labels) || !('plain' in object.metadata.labels)"}
  variables:
    - {name: team, expression: "params.data.team + '-' + namespaceObject.metadata.name.substring(0, 1)"}
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration:
        expression: >-
          Object{metadata: Object.metadata{labels: {'team': variables.team}},
          spec: Object.spec{containers: object.spec.containers.map(c, Object.spec.containers{name: c.name,
          env: [Object.spec.containers.env{name: 'TEAM', value: variables.team}]})}}
    - patchType: JSONPatch
      jsonPatch:
        expression: >-
          has(object.spec.nodeSelector) ? [] :
          [JSONPatch{op: 'add', path: '/spec/nodeSelector', value: {'pool': params.data.pool}}]
---
apiVersion: ${REGISTRATION}
kind: MutatingAdmissionPolicyBinding
metadata: {name: house-team}
spec:
  policyName: house-team
  paramRef: {name: ${SETTINGS.name}, namespace: ${SETTINGS.namespace}, parameterNotFoundAction: Deny}
---
apiVersion: ${REGISTRATION}
kind: ValidatingAdmissionPolicy
metadata: {name: house-registry}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
  variables:
    - {name: foreign, expression: "object.spec.containers.filter(c, !c.image.startsWith(params.data.registry))"}
  validations:
    - expression: size(variables.foreign) == 0
      messageExpression: >-
        'images must come from ' + params.data.registry + ': ' + variables.foreign.map(c, c.name).join(', ')
      reason: Forbidden
  auditAnnotations:
    - {key: team, valueExpression: "object.metadata.?labels['team'].orValue('none')"}
---
apiVersion: ${REGISTRATION}
kind: ValidatingAdmissionPolicyBinding
metadata: {name: house-registry}
spec:
  policyName: house-registry
  validationActions: [Deny]
  paramRef: {name: ${SETTINGS.name}, namespace: ${SETTINGS.namespace}, parameterNotFoundAction: Deny}
---
apiVersion: ${REGISTRATION}
kind: ValidatingAdmissionPolicy
metadata: {name: house-owner}
spec:
  matchConstraints:
    resourceRules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
  validations:
    - {expression: "has(object.metadata.annotations) && 'owner' in object.metadata.annotations", message: annotation "owner" is missing}
---
apiVersion: ${REGISTRATION}
kind: ValidatingAdmissionPolicyBinding
metadata: {name: house-owner}
spec: {policyName: house-owner, validationActions: [Warn, Audit]}
`).map((document) => document.toJS() as KubeObject);

/** A policy of the list above, with another specification. */
export function changed(
  kind: string,
  name: string,
  change: (spec: Record<string, unknown>) => object,
): KubeObject {
  const found = POLICIES.find((each) => each.kind === kind && each.metadata.name === name);
  if (found === undefined) throw new TypeError(`No ${kind} "${name}"`);
  const { spec } = found as unknown as { readonly spec: Record<string, unknown> };
  return { ...found, spec: { ...spec, ...change(spec) } } as KubeObject;
}
