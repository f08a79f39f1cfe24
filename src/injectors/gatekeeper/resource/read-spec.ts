import { ConfigError, isJsonObject, type Json, parseConfig, withoutNulls } from '../../../sdk/index.ts';
import type { Location } from '../location/location.ts';
import { parseLocation } from '../location/parse-location.ts';
import { orderPathTests, type PathTests } from '../location/path-tests.ts';
import { partsProblem } from './image-reference.ts';
import type { Change, Mutator } from './mutator.ts';
import type { MutatorKind } from './resources.ts';
import { type AssignSource, specSchemas } from './spec-schema.ts';

export type Spec = Pick<Mutator, 'location' | 'pathTests' | 'match' | 'applyTo' | 'change'>;

/** Reads `spec`; throws a ConfigError whose paths begin there. */
export function readSpec(kind: MutatorKind, raw: unknown): Spec {
  switch (kind) {
    case 'Assign':
      return readAssign(raw);
    case 'AssignMetadata':
      return readAssignMetadata(raw);
    case 'ModifySet':
      return readModifySet(raw);
    case 'AssignImage':
      return readAssignImage(raw);
  }
}

function readAssign(raw: unknown): Spec {
  const { applyTo, match, location: text, parameters } = parseConfig(specSchemas.Assign, raw);
  const location = readLocation(['location'], text);
  refuseMetadata(location);
  const [before, last] = location.nodes.slice(-2);
  if (before?.type !== 'field' && last?.type === 'field' && before?.key === last.name) {
    throw problem(['location'], `"${last.name}" is the key of the list, which cannot be changed`);
  }
  const change = readChange(parameters.assign);
  if (location.nodes.at(-1)?.type !== 'field') checkElement(location, change);
  return { applyTo, match, location, change, pathTests: readTests(location, parameters.pathTests) };
}

/** At the end of a location, a list element is replaced as a whole by a value with the same key. */
function checkElement(location: Location, change: Change): void {
  const last = location.nodes.at(-1);
  if (last?.type === 'glob') throw problem(['location'], 'the last element cannot be "*"');
  if (last?.type !== 'element') return;
  const at = ['parameters', 'assign'];
  if (change.type !== 'value') throw problem(at, 'a location that ends in a list element needs a value');
  if (!isJsonObject(change.value))
    throw problem([...at, 'value'], 'expected a map, since the location ends in a list element');
  const key = change.value[last.key];
  // Gatekeeper decodes the value's numbers as floats, which never equal an integer key.
  if (key === (typeof last.value === 'bigint' ? Number(last.value) : last.value)) return;
  const found = key === undefined ? 'missing' : `found ${JSON.stringify(key)}`;
  throw problem(
    [...at, 'value', last.key],
    `expected the key of the location, ${JSON.stringify(String(last.value))}, ${found}`,
  );
}

function readAssignMetadata(raw: unknown): Spec {
  const { match, location: text, parameters } = parseConfig(specSchemas.AssignMetadata, raw);
  const location = readLocation(['location'], text);
  const [root, map, ...rest] = location.nodes.map((node) => (node.type === 'field' ? node.name : undefined));
  if (
    root !== 'metadata' ||
    (map !== 'labels' && map !== 'annotations') ||
    rest.length !== 1 ||
    rest[0] === undefined
  ) {
    throw problem(
      ['location'],
      `expected metadata.labels.NAME or metadata.annotations.NAME, found "${text}"`,
    );
  }
  const change = readChange(parameters.assign);
  const at = ['parameters', 'assign'];
  if (change.type === 'value' && typeof change.value !== 'string')
    throw problem([...at, 'value'], 'expected a string');
  if (change.type === 'externalData' && change.source.dataSource !== 'Username') {
    throw problem(
      [...at, 'externalData', 'dataSource'],
      'expected Username: metadata is never changed, only added',
    );
  }
  return { applyTo: undefined, match, location, change, pathTests: [undefined, undefined, 'MustNotExist'] };
}

function readModifySet(raw: unknown): Spec {
  const { applyTo, match, location: text, parameters } = parseConfig(specSchemas.ModifySet, raw);
  const location = readFieldLocation(text);
  const { operation: type, values } = parameters;
  const change: Change = { type, values: values.fromList?.map((each) => withoutNulls(each)) };
  return { applyTo, match, location, change, pathTests: readTests(location, parameters.pathTests) };
}

function readAssignImage(raw: unknown): Spec {
  const { applyTo, match, location: text, parameters } = parseConfig(specSchemas.AssignImage, raw);
  const location = readFieldLocation(text);
  const { assignDomain: domain, assignPath: path, assignTag: tag } = parameters;
  const bad = partsProblem({ domain, path, tag });
  if (bad !== undefined) throw problem(['parameters', ...bad.fields], bad.message);
  const change: Change = { type: 'image', domain, path, tag };
  return { applyTo, match, location, change, pathTests: readTests(location, parameters.pathTests) };
}

function readFieldLocation(text: string): Location {
  const location = readLocation(['location'], text);
  refuseMetadata(location);
  if (location.nodes.at(-1)?.type === 'field') return location;
  throw problem(['location'], 'expected a field at the end, found a list element');
}

function readLocation(path: readonly (string | number)[], text: string): Location {
  const location = parseLocation(text);
  if ('problem' in location)
    throw problem(path, `${location.problem} at position ${location.position} of "${text}"`);
  if (location.nodes.length === 0 && path[0] === 'location')
    throw problem(path, 'missing, expected a path such as spec.replicas');
  const inexact = location.nodes.find(
    (node) =>
      node.type === 'element' && typeof node.value === 'bigint' && node.value > Number.MAX_SAFE_INTEGER,
  );
  if (inexact === undefined) return location;
  throw problem(path, `integers above ${Number.MAX_SAFE_INTEGER} are not supported`);
}

function refuseMetadata({ nodes: [root] }: Location): void {
  if (root?.type !== 'field' || root.name !== 'metadata') return;
  throw problem(['location'], 'metadata can only be changed by AssignMetadata');
}

function readChange({ value, fromMetadata, externalData }: AssignSource): Change {
  if (fromMetadata) return { type: 'metadata', field: fromMetadata.field };
  if (externalData) return { type: 'externalData', source: externalData };
  return { type: 'value', value: withoutNulls(value as Json) };
}

type RawTests = readonly { readonly subPath: string; readonly condition: 'MustExist' | 'MustNotExist' }[];

function readTests(location: Location, raw: RawTests): PathTests {
  const tests = raw.map(({ subPath, condition }, index) => ({
    subPath: readLocation(['parameters', 'pathTests', index, 'subPath'], subPath),
    condition,
  }));
  const ordered = orderPathTests(location, tests);
  if (!('problem' in ordered)) return ordered;
  throw problem(['parameters', 'pathTests', ordered.index], ordered.problem);
}

function problem(path: readonly (string | number)[], message: string): ConfigError {
  return new ConfigError([{ path, message }]);
}
