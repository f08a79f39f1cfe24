import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { filesView } from '../../src/cluster/views/files-view.ts';
import { readManifests } from '../../src/files/read-manifests.ts';
import { opentelemetry } from '../../src/injectors/opentelemetry/opentelemetry.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/json/json.ts';
import { asJson, type KubeObject } from '../../src/kube/kube-object.ts';
import { requestFor } from '../../src/pipeline/run-manifest.ts';
import { withApiDefaults } from '../../src/testing/api-defaults.ts';
import { checkLaws } from '../../src/testing/laws.ts';
import { parseDocument } from '../../src/yaml/parse-document.ts';
import { evaluate } from './opentelemetry-expression.ts';
import { peersFolder } from './peers-folder.ts';

const folder = peersFolder('opentelemetry');

describe.skipIf(folder === undefined)('Pods match the expectations of the OpenTelemetry operator', () => {
  const cases = readdirSync(folder ?? '.', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(`${folder}/${entry.name}/case.json`))
    .map(({ name }) => readPeerCase(`${folder}/${name}`))
    .filter(({ facts }) => facts.runnable);

  test('the suite is complete', () => {
    expect(cases.length).toBeGreaterThan(15);
  });

  test.each(cases.map((peerCase) => [peerCase.facts.id, peerCase] as const))('%s', (_, peerCase) => {
    const { facts, pod, expected, cluster } = peerCase;
    const outcome = checkLaws({
      entry: { name: 'opentelemetry', injector: opentelemetry, config: configFor(facts) },
      object: pod,
      cluster: filesView(cluster),
      request: requestFor(pod, { operation: 'CREATE', namespace: facts.namespace, username: 'test' }),
    });
    expect(outcome.allowed).toBe(true);
    if (!outcome.allowed) return;
    const stored = withApiDefaults(asJson(outcome.object));
    expect(differences(expected, stored, '', facts.bindings)).toEqual([]);
  });
});

interface PeerFacts {
  readonly id: string;
  readonly runnable: boolean;
  readonly namespace: string;
  readonly bindings: Readonly<Record<string, string>>;
  readonly languages: readonly string[];
  readonly multiInstrumentation: boolean;
  readonly requires: readonly string[];
  readonly podOwners: readonly { apiVersion: string; kind: string; name: string; uid: string }[];
}

function readPeerCase(path: string) {
  const facts = JSON.parse(readFileSync(`${path}/case.json`, 'utf8')) as PeerFacts;
  const objects = (name: string) => (existsSync(`${path}/${name}`) ? readManifests([`${path}/${name}`]) : []);
  const [pod] = objects('pod.yaml');
  if (pod === undefined) throw new Error(`Missing pod.yaml in ${path}`);
  // Not as a manifest, which would drop nulls: they are expectations.
  const expected = parseDocument(readFileSync(`${path}/expected.yaml`, 'utf8')).value;
  const around = ['instrumentation.yaml', 'collector.yaml', 'support.yaml', 'namespace.yaml'].flatMap(
    objects,
  );
  return { facts, pod, expected, cluster: [...around, ...owners(facts)] };
}

/** The nearest owner as a cluster object, with its own owner. */
function owners({ podOwners: [nearest, next], namespace }: PeerFacts): KubeObject[] {
  if (nearest === undefined) return [];
  const { apiVersion, kind, name, uid } = nearest;
  const ownerReferences = next === undefined ? [] : [{ ...next, controller: true }];
  return [{ apiVersion, kind, metadata: { name, namespace, uid, ownerReferences } }];
}

function configFor({ languages, multiInstrumentation, requires }: PeerFacts) {
  const sidecar = requires.some((text) => text.includes('regular container')) ? 'container' : 'native';
  const extra = languages.length > 0 && { languages };
  return opentelemetry.config?.({ ...extra, multiInstrumentation, sidecar }) ?? expect.fail('no config');
}

/** Reports every unmet expectation. Maps may have more keys than expected; lists are compared item by item. */
function differences(
  expected: Json | undefined,
  found: Json | undefined,
  path: string,
  bindings: PeerFacts['bindings'],
): string[] {
  if (Array.isArray(expected)) {
    if (!Array.isArray(found)) return [`${path}: expected a list`];
    if (found.length !== expected.length) {
      return [`${path}: expected ${names(expected)}, found ${names(found)}`];
    }
    return expected.flatMap((item: Json, index) =>
      differences(item, found[index] as Json, `${path}/${index}`, bindings),
    );
  }
  if (isJsonObject(expected)) {
    return Object.entries(expected).flatMap(([key, wanted]) => {
      const expression = /^\((.*)\)$/s.exec(key)?.[1];
      if (expression !== undefined) {
        const result = evaluate(expression, found, bindings) as Json;
        return differences(wanted, result, `${path}/${key}`, bindings);
      }
      if (!isJsonObject(found) || found[key] === undefined) return [`${path}/${key}: missing`];
      return differences(wanted, found[key], `${path}/${key}`, bindings);
    });
  }
  return expected === found
    ? []
    : [`${path}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`];
}

function names(list: readonly Json[]): string {
  return list.map((item) => (item as JsonObject).name ?? (item as JsonObject).mountPath).join(', ');
}
