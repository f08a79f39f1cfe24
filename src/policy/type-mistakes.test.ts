import { describe, expect, test } from 'vitest';
import { compileMessages } from '../cel/compile-error.ts';
import type { JsonObject } from '../json/json.ts';
import { typeMistakes } from './type-mistakes.ts';

const PODS = { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] };

function mistakes(spec: JsonObject): readonly string[] {
  const policy = {
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'v' },
    spec: { matchConstraints: { resourceRules: [PODS] }, ...spec },
  };
  return typeMistakes(policy).flatMap(({ field, kind, error }) =>
    compileMessages(error).map((message) => `${kind.kind} ${field} ${message}`),
  );
}

const validation = (expression: string) => mistakes({ validations: [{ expression }] });

describe('the types of a validating policy', () => {
  test.each([
    ["object.spec.nope == 'x'", "1:12: undefined field 'nope'"],
    [
      'oldObject.spec.hostNetwork == 1',
      "1:28: found no matching overload for '_==_' applied to '(bool, int)'",
    ],
    ['object.spec.containers.all(c, c.imag != "")', "1:32: undefined field 'imag'"],
  ])('%s', (expression, message) => {
    expect(validation(expression)).toEqual([`Pod spec.validations[0].expression ${message}`]);
  });

  test.each([
    "object.spec.containers.all(c, c.resources.limits['cpu'] == '1')",
    "authorizer.requestResource.check('create').allowed()",
    'oldObject == null || object.spec.hostNetwork == oldObject.spec.hostNetwork',
    'object.metadata.?labels.orValue({}).size() > 0',
    "object.spec.nodeName.startsWith('a') && has(object.spec.securityContext)",
  ])('no alarm for %s', (expression) => {
    expect(validation(expression)).toEqual([]);
  });

  test('parameters and variables have types, too', () => {
    const spec = {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      variables: [{ name: 'a', expression: 'object.metadata.name' }],
      validations: [
        { expression: 'params.data.x == 1' },
        { expression: 'true', messageExpression: 'string(variables.a > 1)' },
      ],
    };
    expect(mistakes(spec)).toEqual([
      "Pod spec.validations[0].expression 1:15: found no matching overload for '_==_' applied to '(string, int)'",
      "Pod spec.validations[1].messageExpression 1:20: found no matching overload for '_>_' applied to '(string, int)'",
    ]);
  });

  test('each kind of the rules is checked, but not wildcards, subresources and unknown kinds', () => {
    const rule = (apiGroups: string[], apiVersions: string[], resources: string[]) => ({
      ...PODS,
      apiGroups,
      apiVersions,
      resources,
    });
    const resourceRules = [
      PODS,
      rule(['apps'], ['v1'], ['deployments', 'deployments/scale']),
      rule(['*'], ['*'], ['*']),
      rule(['example.com'], ['v1'], ['widgets']),
    ];
    const spec = {
      matchConstraints: { resourceRules },
      validations: [{ expression: 'object.spec.replicas > 1' }],
    };
    expect(mistakes(spec)).toEqual(["Pod spec.validations[0].expression 1:12: undefined field 'replicas'"]);
  });
});
