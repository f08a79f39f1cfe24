import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/json/json.ts';
import { peersFolder } from './peers-folder.ts';
import { comparableOutcome, type PolicyCase, type PolicyOutcome, runPolicyCase } from './policy-case.ts';

/** The data's own README explains the format. */
interface PeerCase extends PolicyCase {
  readonly name: string;
  readonly deterministic?: boolean;
  readonly alternatives?: readonly PolicyOutcome[];
  readonly expect: PolicyOutcome;
}

const folder = peersFolder('admission-policy');
const cases =
  folder === undefined ? [] : (JSON.parse(readFileSync(`${folder}/cases.json`, 'utf8')) as PeerCase[]);

/** Cases that are not run, each with the reason. */
const leftOut: { readonly [name: string]: string } = {};

/** Cases of which the warnings about types are not compared, since those of the API server are wrong, each with the reason. */
const otherTypes: { readonly [name: string]: string } = {
  'vap-authorizer': 'authorizer.requestResource exists',
  'vap-type-checking-quantity': 'limits exist',
  'vap-type-checking-timestamp': 'creationTimestamp is a string, so that the comparison fails at run time',
};

describe.skipIf(folder === undefined)('admission policies of Kubernetes 1.36.4', () => {
  it('fewer than 2 in 100 cases are left out, and each is one of them', () => {
    const names = cases.map(({ name }) => name);
    expect(Object.keys({ ...leftOut, ...otherTypes }).filter((name) => !names.includes(name))).toEqual([]);
    const excused = Object.keys({ ...leftOut, ...otherTypes });
    expect(excused.length / cases.length).toBeLessThan(0.02);
  });

  it.each(cases.filter(({ name }) => !(name in leftOut)))('$name', (peer) => {
    const compared = (outcome: PolicyOutcome) =>
      comparableOutcome(peer.name in otherTypes ? { ...outcome, typeChecking: {} } : outcome);
    const found = compared(runPolicyCase(peer, DEFINITIONS));
    const wanted = [peer.expect, ...(peer.alternatives ?? [])].map(compared);
    if (wanted.length === 1) expect(found).toEqual(wanted[0]);
    else expect(wanted).toContainEqual(found);
  });
});

/** The custom resources that the cases assume. */
const DEFINITIONS: readonly JsonObject[] = [
  definition('Limits', 'limits', 'Namespaced', {
    'x-kubernetes-preserve-unknown-fields': true,
    type: 'object',
  }),
  definition('ClusterLimits', 'clusterlimits', 'Cluster', {
    'x-kubernetes-preserve-unknown-fields': true,
    type: 'object',
  }),
  definition('Widget', 'widgets', 'Namespaced', {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer' },
          ratio: { type: 'number' },
          port: { 'x-kubernetes-int-or-string': true },
          name: { type: 'string' },
          on: { type: 'boolean' },
          plain: { type: 'array', items: { type: 'string' } },
          tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
          parts: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: { type: 'object', properties: { name: { type: 'string' }, n: { type: 'integer' } } },
          },
          fixed: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: { type: 'string' } } },
          free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
    },
  }),
];

function definition(kind: string, plural: string, scope: string, openAPIV3Schema: Json): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope,
      names: { kind, plural },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}
