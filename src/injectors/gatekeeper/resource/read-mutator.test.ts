import { expect, test } from 'vitest';
import type { JsonObject } from '../../../json/json.ts';
import type { KubeObject } from '../../../kube/kube-object.ts';
import { invalidText, isInvalid, readMutator } from './read-mutator.ts';

const PODS = [{ groups: [''], versions: ['v1'], kinds: ['Pod'] }];

function resource(kind: string, spec: JsonObject, annotations: { [key: string]: string } = {}): KubeObject {
  const apiVersion = 'mutations.gatekeeper.sh/v1';
  return { apiVersion, kind, metadata: { name: 'x', annotations }, spec } as KubeObject;
}

function problemOf(object: KubeObject): string | undefined {
  const read = readMutator(object);
  return isInvalid(read) ? invalidText(read) : undefined;
}

const assign = (spec: JsonObject) => resource('Assign', { applyTo: PODS, ...spec });
const value = (given: JsonObject | string | number | null) => ({ parameters: { assign: { value: given } } });

test.each<[string, KubeObject, string]>([
  [
    'a location without its end',
    assign({ location: 'spec.', ...value(1) }),
    'spec.location: expected a field name, found the end at position 6 of "spec."',
  ],
  [
    'an index',
    assign({ location: 'spec.a[0]', ...value(1) }),
    'spec.location: expected the name of a key field, found "0" at position 8 of "spec.a[0]"',
  ],
  [
    'an open string',
    assign({ location: 'spec."a', ...value(1) }),
    'spec.location: expected a field name, a string without its closing " at position 6 of "spec."a"',
  ],
  ['no location', assign(value(1)), 'spec.location: missing, expected a path such as spec.replicas'],
  [
    'metadata',
    assign({ location: 'metadata.labels.a', ...value(1) }),
    'spec.location: metadata can only be changed by AssignMetadata',
  ],
  [
    'the key of a list',
    assign({ location: 'spec.a[name: b].name', ...value(1) }),
    'spec.location: "name" is the key of the list, which cannot be changed',
  ],
  [
    'a glob at the end',
    assign({ location: 'spec.a[name: *]', ...value({}) }),
    'spec.location: the last element cannot be "*"',
  ],
  [
    'another key',
    assign({ location: 'spec.a[port: 80]', ...value({ port: '80' }) }),
    'spec.parameters.assign.value.port: expected the key of the location, "80", found "80"',
  ],
  [
    'null as the value',
    assign({ location: 'spec.a', ...value(null) }),
    'spec.parameters.assign: expected exactly one of value, fromMetadata and externalData',
  ],
  [
    'no kinds',
    resource('Assign', { location: 'spec.a', ...value(1) }),
    'spec.applyTo: expected at least one entry',
  ],
  [
    'an unknown criterion',
    assign({ match: { annotations: {} }, location: 'spec.a', ...value(1) }),
    'spec.match.annotations: unknown key "annotations"',
  ],
  [
    'a pattern with a star inside',
    assign({ match: { name: 'a*b' }, location: 'spec.a', ...value(1) }),
    'spec.match.name: expected lower-case letters',
  ],
  [
    'a broken selector',
    assign({
      match: { labelSelector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } },
      location: 'spec.a',
      ...value(1),
    }),
    'spec.match.labelSelector: matchExpressions.0: operator: expected In, NotIn, Exists or DoesNotExist, found "Is"',
  ],
  [
    'a path test elsewhere',
    assign({
      location: 'spec.a',
      parameters: { assign: { value: 1 }, pathTests: [{ subPath: 'spec.b', condition: 'MustExist' }] },
    }),
    'spec.parameters.pathTests.0: "spec.b" is not a prefix of location "spec.a"',
  ],
  [
    'metadata of a template',
    resource('AssignMetadata', { location: 'spec.template.metadata.labels.a', ...value('b') }),
    'spec.location: expected metadata.labels.NAME or metadata.annotations.NAME',
  ],
  [
    'a number as a label',
    resource('AssignMetadata', { location: 'metadata.labels.a', ...value(1) }),
    'spec.parameters.assign.value: expected a string',
  ],
  [
    'a misspelt mode',
    resource(
      'AssignMetadata',
      { location: 'metadata.labels.a', ...value('b') },
      { 'podgraft.dev/mode': 'warning' },
    ),
    'metadata.annotations.podgraft.dev/mode: expected "enforce" or "warn", found "warning"',
  ],
  [
    'an integer that JSON cannot hold',
    assign({ location: 'spec.a[b: 9007199254740993].c', ...value(1) }),
    'spec.location: integers above 9007199254740991 are not supported',
  ],
])('names resource, field and place: %s', (_, object, expected) => {
  expect(problemOf(object)).toContain(`${object.kind} "x" is invalid: ${expected}`);
});

test.each<[string, readonly JsonObject[], boolean]>([
  [
    'a child that must not exist below a parent that must',
    [
      { subPath: 'spec.a.b', condition: 'MustNotExist' },
      { subPath: 'spec.a', condition: 'MustExist' },
    ],
    true,
  ],
  [
    'a child that must exist below a parent that must not',
    [
      { subPath: 'spec.a.b', condition: 'MustExist' },
      { subPath: 'spec.a', condition: 'MustNotExist' },
    ],
    false,
  ],
])('path tests are compared by depth, not by their order: %s', (_, pathTests, isValid) => {
  const object = assign({ location: 'spec.a.b', parameters: { assign: { value: 1 }, pathTests } });
  expect(problemOf(object) === undefined).toBe(isValid);
});

test('the key at the end of a location may be an integer', () => {
  expect(
    problemOf(assign({ location: 'spec.ports[port: 80]', ...value({ port: 80, name: 'web' }) })),
  ).toBeUndefined();
});

test('an AssignMetadata may be limited to operations by annotation', () => {
  const spec = { location: 'metadata.labels.a', ...value('b') };
  expect(
    readMutator(resource('AssignMetadata', spec, { 'podgraft.dev/operations': 'UPDATE' })),
  ).toMatchObject({
    operations: ['UPDATE'],
  });
  expect(problemOf(resource('AssignMetadata', spec, { 'podgraft.dev/operations': 'DELETE' }))).toContain(
    'expected "CREATE"',
  );
  expect(problemOf(assign({ location: 'spec.a', ...value(1) }))).toBeUndefined();
});
