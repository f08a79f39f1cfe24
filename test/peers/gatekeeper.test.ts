import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesView } from '../../src/cluster/views/files-view.ts';
import { gatekeeper } from '../../src/injectors/gatekeeper/gatekeeper.ts';
import type { LocationNode } from '../../src/injectors/gatekeeper/location/location.ts';
import { parseLocation } from '../../src/injectors/gatekeeper/location/parse-location.ts';
import { matchesGenerateName, matchesWildcard } from '../../src/injectors/gatekeeper/mutate/wildcard.ts';
import { partsProblem, splitImage } from '../../src/injectors/gatekeeper/resource/image-reference.ts';
import { isInvalid, readMutator } from '../../src/injectors/gatekeeper/resource/read-mutator.ts';
import { createSystem } from '../../src/injectors/gatekeeper/system/system.ts';
import { applyPatch } from '../../src/json/apply-patch.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/json/json.ts';
import { asJson, type KubeObject } from '../../src/kube/kube-object.ts';
import { createPipeline } from '../../src/pipeline/pipeline.ts';
import { requestFor } from '../../src/pipeline/run-manifest.ts';
import { runStages } from '../../src/pipeline/run-pipeline.ts';
import { selectStages } from '../../src/pipeline/select-stages.ts';
import type { CallView, ServiceCall } from '../../src/sdk/calls.ts';
import { peersFolder } from './peers-folder.ts';

interface PeerCase {
  readonly id: string;
  readonly outcome: 'mutated' | 'unchanged' | 'error' | 'valid' | 'invalid' | 'conflict';
  readonly request?: { readonly operation: string; readonly namespace?: string; readonly username?: string };
  readonly namespaceObject?: KubeObject;
  readonly source?: string;
  readonly providers?: { readonly [provider: string]: { readonly [key: string]: string } };
  readonly conflicts?: readonly string[];
  readonly removal?: { readonly remove: readonly string[]; readonly conflicts: readonly string[] };
}

/** Cases of features that podgraft does not offer. */
const NOT_OFFERED: { readonly [id: string]: string } = {
  'match-source-generated': 'there are no expansion templates, so that no object is generated from one',
  'match-source-of-object-unknown': 'every object is an original',
  'operation-star-none-given': 'every run has an operation, those of the command line too',
  'walk-null-where-list-expected': 'null means absent, as for the API server',
};

/** What podgraft leaves alone, whatever the injector, although Gatekeeper changes it. */
const LEFT_ALONE: { readonly [id: string]: string } = {
  'operation-both-update': 'a Pod is injected on CREATE only',
  'operation-none-listed-update': 'a Pod is injected on CREATE only',
  'operation-star-update': 'a Pod is injected on CREATE only',
  'operation-update-update': 'a Pod is injected on CREATE only',
  'match-generate-name-middle': 'the Pod is invalid',
  'match-generate-name-prefix': 'the Pod is invalid',
  'walk-same-key-twice': 'the Pod is invalid',
};

const folder = peersFolder('gatekeeper') ?? '';
const cases: readonly PeerCase[] =
  folder === '' ? [] : table('index.json', 'cases').map(({ id }) => read(id as string, 'case.json') as never);
const offered = cases.filter(({ id }) => !Object.hasOwn(NOT_OFFERED, id));
const withOutcome = (...outcomes: readonly PeerCase['outcome'][]) =>
  offered.filter(({ outcome }) => outcomes.includes(outcome));

describe.skipIf(folder === '')('Gatekeeper', () => {
  it('has cases of every outcome', () => {
    const outcomes = new Set(cases.map(({ outcome }) => outcome));
    expect([...outcomes].sort()).toEqual(['conflict', 'error', 'invalid', 'mutated', 'unchanged', 'valid']);
  });

  it.each(Object.entries(NOT_OFFERED))('lists %s, which is not offered: %s', (id) => {
    expect(cases.map((each) => each.id)).toContain(id);
  });

  it.each(withOutcome('mutated'))('leaves alone only what no injector may touch: $id', (peer) => {
    const input = read(peer.id, 'input.json') as unknown as KubeObject;
    const { isExcluded, candidates } = selectStages(PIPELINE, requestOf(peer, input), input, filesView([]));
    expect(isExcluded).toBe(Object.hasOwn(LEFT_ALONE, peer.id));
    if (isExcluded) expect(candidates[0]?.mismatch).toContain(LEFT_ALONE[peer.id]);
  });

  it.each(withOutcome('mutated', 'unchanged'))('$outcome: $id', (peer) => {
    const input = read(peer.id, 'input.json') as unknown as KubeObject;
    const { patch, failure } = run(peer, input);
    expect(failure).toBeUndefined();
    if (peer.outcome === 'unchanged') expect(patch).toEqual([]);
    expect(applyPatch(asJson(input), patch)).toEqual(read(peer.id, 'expected.json'));
  });

  it.each(withOutcome('error'))('fails, or is refused when it is loaded: $id', (peer) => {
    const input = read(peer.id, 'input.json') as unknown as KubeObject;
    const { failure } = run(peer, input);
    const refused = mutatorsOf(peer).map(readMutator).some(isInvalid);
    expect(failure !== undefined || refused).toBe(true);
  });

  it.each(withOutcome('valid', 'invalid'))('$outcome: $id', (peer) => {
    const all = mutatorsOf(peer).map(readMutator);
    expect(all.some(isInvalid)).toBe(peer.outcome === 'invalid');
    if (peer.conflicts) expect(conflictsOf(mutatorsOf(peer))).toEqual(peer.conflicts);
  });

  it.each(withOutcome('conflict'))('conflict: $id', (peer) => {
    const mutators = mutatorsOf(peer);
    expect(conflictsOf(mutators)).toEqual(peer.conflicts);
    expect(conflictsOf(mutators.toReversed())).toEqual(peer.conflicts);
    const { remove = [], conflicts } = peer.removal ?? {};
    if (conflicts === undefined) return;
    const rest = mutators.filter(({ kind, metadata }) => !remove.includes(`${kind}/${metadata.name}`));
    expect(conflictsOf(rest)).toEqual(conflicts);
  });

  it.each(rows('paths.json'))('parses a location: $id', ({ input, nodes, error }) => {
    const parsed = parseLocation(input as string);
    expect('problem' in parsed).toBe(error !== undefined);
    if (!('problem' in parsed)) expect(parsed.nodes.map(shown)).toEqual(nodes);
  });

  it.each(rows('pathtests.json'))('checks path tests: $id', ({ location, tests, valid }) => {
    const parameters = { assign: { value: 'x' }, pathTests: tests as Json };
    expect(isInvalid(readMutator(assign(location as string, parameters)))).toBe(!valid);
  });

  it.each(rows('images.json'))('splits and checks images: $id', (row) => {
    if (row.check === 'parse') {
      const { domain, path, tag } = row;
      expect(splitImage(row.image as string)).toEqual({ domain, path, tag });
      return;
    }
    const {
      assignDomain: domain = '',
      assignPath: path = '',
      assignTag: tag = '',
    } = row.parameters as {
      readonly [key: string]: string;
    };
    expect(partsProblem({ domain, path, tag }) === undefined).toBe(row.valid);
  });

  it.each(rows('wildcards.json'))('matches wildcards: $id', ({ check, pattern, candidate, matches }) => {
    const matcher = check === 'name' ? matchesWildcard : matchesGenerateName;
    expect(matcher(pattern as string, candidate as string)).toBe(matches);
  });
});

const PIPELINE = createPipeline(
  [{ name: 'gatekeeper', injector: gatekeeper, config: gatekeeper.config?.({}) }],
  [],
);

function requestOf(peer: PeerCase, input: KubeObject) {
  const { operation = 'CREATE', namespace = '', username = 'somebody' } = peer.request ?? {};
  return requestFor(input, { operation: operation as never, namespace, username });
}

function run(peer: PeerCase, input: KubeObject) {
  const objects = [
    ...mutatorsOf(peer),
    ...providersOf(peer),
    ...(peer.namespaceObject ? [peer.namespaceObject] : []),
  ];
  const cluster = filesView(objects);
  const request = requestOf(peer, input);
  try {
    const stages = PIPELINE.stages.map((stage) => ({ stage, mismatch: undefined }));
    const selection = { isExcluded: false, isFixed: false, candidates: stages };
    const outcome = runStages(selection, request, input, cluster, undefined, undefined, answersOf(peer));
    return outcome.allowed ? { patch: outcome.patch } : { patch: [], failure: outcome.reason };
  } catch (error) {
    return { patch: [], failure: String(error) };
  }
}

/** Providers reply at once, by the name in their URL. */
function answersOf({ providers = {} }: PeerCase): CallView {
  return {
    replies: [],
    reply({ url, body }: ServiceCall) {
      const answers = providers[new URL(url).hostname] ?? {};
      const { keys } = (body as { readonly request: { readonly keys: readonly string[] } }).request;
      const items = keys.map((key) => ({ key, value: answers[key] ?? key }));
      return { body: { response: { idempotent: true, items } } };
    },
  };
}

function providersOf({ providers = {} }: PeerCase): KubeObject[] {
  const caBundle = btoa('-----BEGIN CERTIFICATE-----');
  return Object.keys(providers).map((name) => ({
    apiVersion: 'externaldata.gatekeeper.sh/v1beta1',
    kind: 'Provider',
    metadata: { name },
    spec: { url: `https://${name}/`, caBundle },
  }));
}

function mutatorsOf({ id }: PeerCase): readonly KubeObject[] {
  return read(id, 'mutators.json') as unknown as readonly KubeObject[];
}

/** `Kind/name` of all mutators that are switched off. */
function conflictsOf(resources: readonly KubeObject[]): readonly string[] {
  const { conflicts } = createSystem(resources.map(readMutator));
  const names = conflicts.flatMap(({ mutators }) => mutators.map(({ kind, name }) => `${kind}/${name}`));
  return [...new Set(names)].sort();
}

function assign(location: string, parameters: JsonObject): KubeObject {
  return {
    apiVersion: 'mutations.gatekeeper.sh/v1',
    kind: 'Assign',
    metadata: { name: 'x' },
    spec: { applyTo: [{ groups: [''], versions: ['v1'], kinds: ['Pod'] }], location, parameters },
  } as KubeObject;
}

/** A node as the table writes it. */
function shown(node: LocationNode): JsonObject {
  if (node.type === 'field') return { field: node.name };
  if (node.type === 'glob') return { key: node.key, glob: true };
  return typeof node.value === 'bigint'
    ? { key: node.key, integer: String(node.value) }
    : { key: node.key, value: node.value };
}

function rows(file: string): readonly JsonObject[] {
  return folder === '' ? [] : table(file, 'entries');
}

function table(file: string, member: string): readonly JsonObject[] {
  const content = JSON.parse(readFileSync(join(folder, file), 'utf8')) as JsonObject;
  return (content[member] as readonly Json[]).filter(isJsonObject);
}

function read(id: string, file: string): Json {
  const path = join(folder, id, file);
  if (!existsSync(path)) throw new Error(`No "${path}"`);
  return JSON.parse(readFileSync(path, 'utf8')) as Json;
}
