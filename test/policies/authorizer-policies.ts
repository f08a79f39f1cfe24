import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../src/kube/kube-object.ts';

const REGISTRATION = 'admissionregistration.k8s.io/v1';

/**
 * A mutating policy that writes down what the user, and a ServiceAccount, may do in the namespace, and a validating one by which a right
 * is needed for a field.
 */
export const AUTHORIZER_POLICIES: readonly KubeObject[] = parseAllDocuments(`
apiVersion: ${REGISTRATION}
kind: MutatingAdmissionPolicy
metadata: {name: rights}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
  matchConditions:
    - {name: may-create, expression: authorizer.requestResource.check('create').allowed()}
  variables:
    - name: secrets
      expression: authorizer.group('').resource('secrets').namespace(request.namespace).check('get')
    - name: map
      expression: authorizer.group('').resource('configmaps').namespace(request.namespace).name('house').check('update').allowed()
    - name: till
      expression: authorizer.serviceAccount(request.namespace, 'till').group('').resource('secrets').namespace(request.namespace).check('get').allowed()
    - {name: metrics, expression: authorizer.path('/metrics').check('get').allowed()}
    - name: selected
      expression: authorizer.group('').resource('pods').namespace(request.namespace).fieldSelector('not a selector').check('list')
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration:
        expression: >-
          Object{metadata: Object.metadata{annotations: {
          'secrets': string(variables.secrets.allowed()), 'reason': variables.secrets.reason(),
          'map': string(variables.map), 'till': string(variables.till), 'metrics': string(variables.metrics),
          'selected': string(variables.selected.allowed()) + variables.selected.error()}}}
---
apiVersion: ${REGISTRATION}
kind: MutatingAdmissionPolicyBinding
metadata: {name: rights}
spec: {policyName: rights}
---
apiVersion: ${REGISTRATION}
kind: ValidatingAdmissionPolicy
metadata: {name: host-network}
spec:
  matchConstraints:
    resourceRules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
  validations:
    - expression: >-
        !object.spec.?hostNetwork.orValue(false) ||
        authorizer.group('example.com').resource('hostnetworks').namespace(request.namespace).check('use').allowed()
      message: only those who may use hostnetworks.example.com may set hostNetwork
---
apiVersion: ${REGISTRATION}
kind: ValidatingAdmissionPolicyBinding
metadata: {name: host-network}
spec: {policyName: host-network, validationActions: [Deny]}
`).map((document) => document.toJS() as KubeObject);
