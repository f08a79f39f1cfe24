import { describe, expect, it } from 'vitest';
import { compile } from '../cel/compile.ts';
import { kubernetesEnvironment } from '../cel/kubernetes-environment.ts';
import { loadBuiltin } from '../injectors/catalog.ts';
import { createPipeline } from '../pipeline/pipeline.ts';
import { type AnyInjector, defineInjector } from '../sdk/injector.ts';
import type { KindRule, Match } from '../sdk/match.ts';
import { skip } from '../sdk/verdict.ts';
import { webhookScopes } from './webhook-scopes.ts';

const anything = defineInjector({
  name: 'anything',
  summary: '',
  match: { kinds: ['*'], operations: ['*'] },
  inject: () => skip('test'),
});

function scopes(...matches: Match[]) {
  const entries = matches.map((match, index) => ({ name: `entry-${index}`, injector: anything, match }));
  return webhookScopes(createPipeline(entries));
}

const teamA = { matchLabels: { team: 'a' } };

describe('webhookScopes', () => {
  it('defaults to Pods on CREATE, without mirror pods', () => {
    expect(scopes({})).toMatchObject([
      {
        name: 'pods',
        injectors: ['entry-0'],
        rules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            resources: ['pods'],
            operations: ['CREATE'],
            scope: 'Namespaced',
          },
        ],
        matchConditions: [{ name: 'not-mirror-pods' }],
      },
    ]);
  });

  it('creates one webhook per kind, so that no object is sent twice', () => {
    const found = scopes(
      {},
      { kinds: ['Deployment', 'Pod'] },
      { kinds: ['Deployment'], operations: ['UPDATE'] },
    );
    expect(found).toMatchObject([
      { name: 'pods', injectors: ['entry-0', 'entry-1'] },
      {
        name: 'deployments.apps',
        injectors: ['entry-1', 'entry-2'],
        rules: [{ operations: ['CREATE', 'UPDATE'] }],
      },
    ]);
  });

  it('creates one webhook per selection of an injector that is alone in matching a kind', async () => {
    const istio = (await loadBuiltin('istio')) as AnyInjector;
    const stage = {
      name: 'mesh',
      injector: istio,
      config: istio.config?.({ revision: 'blue' }),
      match: { objectSelector: teamA },
    };
    const found = webhookScopes(createPipeline([stage]));
    expect(found.map(({ name }) => name)).toEqual(['rev-namespace-blue.pods', 'rev-object-blue.pods']);
    expect(found[0]?.objectSelector).toMatchObject({
      ...teamA,
      matchExpressions: [{ operator: 'NotIn', values: ['false'] }],
    });
    expect(JSON.stringify(found)).not.toContain('sidecar-injector.istio.io');
    const other = { name: 'other', injector: anything, match: {} };
    expect(webhookScopes(createPipeline([stage, other])).map(({ name }) => name)).toEqual(['pods']);
  });

  it('never matches Pods on UPDATE, nor any kind on DELETE', () => {
    expect(scopes({ operations: ['*'] })).toMatchObject([{ rules: [{ operations: ['CREATE'] }] }]);
    expect(scopes({ operations: ['UPDATE'] })).toEqual([]);
    expect(scopes({ kinds: ['Deployment'], operations: ['DELETE'] })).toEqual([]);
    expect(scopes({ kinds: ['Deployment'], operations: ['*'] })).toMatchObject([
      { rules: [{ operations: ['CREATE', 'UPDATE'] }] },
    ]);
  });

  it('sets the scope of cluster-scoped kinds', () => {
    expect(scopes({ kinds: ['Namespace'] })).toMatchObject([
      { name: 'namespaces', rules: [{ scope: 'Cluster' }] },
    ]);
  });

  it('creates a single webhook if an injector matches all kinds', () => {
    const [all, ...more] = scopes({}, { kinds: ['*'], operations: ['CREATE', 'UPDATE'] });
    expect(more).toEqual([]);
    expect(all).toMatchObject({
      name: 'any',
      rules: [{ apiGroups: ['*'], resources: ['*'], operations: ['CREATE', 'UPDATE'], scope: '*' }],
    });
    expect(all?.matchConditions.map(({ name }) => name)).toEqual([
      'not-mirror-pods',
      'pods-on-create-only',
      'not-leases',
      'not-access-reviews',
    ]);
  });

  it('leaves out mirror pods of all kinds, but no other object with their annotation', () => {
    const [all] = scopes({ kinds: ['*'] });
    const program = compile(all?.matchConditions[0]?.expression ?? '', kubernetesEnvironment());
    const annotations = { 'kubernetes.io/config.mirror': 'x' };
    const isSent = (resource: string, metadata: object) =>
      program.evaluate({ object: { metadata }, request: { resource: { group: '', resource } } });
    expect(isSent('pods', {})).toBe(true);
    expect(isSent('pods', { annotations })).toBe(false);
    expect(isSent('configmaps', { annotations })).toBe(true);
  });

  it('uses a selector that all injectors of the kind share', () => {
    const [agreed] = scopes(
      { namespaceSelector: teamA, objectSelector: { matchLabels: { inject: 'yes' } } },
      { namespaceSelector: teamA },
      { kinds: ['Deployment'] },
    );
    expect(agreed).toMatchObject({ name: 'pods', namespaceSelector: teamA });
    expect(agreed).not.toHaveProperty('objectSelector');
    const [differing] = scopes({ namespaceSelector: teamA }, {});
    expect(differing).not.toHaveProperty('namespaceSelector');
  });

  it('matches namespace names if all injectors of the kind list some', () => {
    const [named] = scopes({ namespaces: ['prod-*', 'a'] }, { namespaces: ['b', 'a'] });
    expect(named?.matchConditions.at(-1)).toEqual({
      name: 'in-namespaces',
      expression: "!has(request.namespace) || request.namespace.matches('^(prod-.*|a|b)$')",
    });
    const [unnamed] = scopes({ namespaces: ['prod-*'] }, {});
    expect(unnamed?.matchConditions.map(({ name }) => name)).toEqual(['not-mirror-pods']);
  });

  it('drops a pattern that no namespace can match', () => {
    const [{ matchConditions } = { matchConditions: [] }] = scopes({ namespaces: ["it's", 'a.b', 'ok'] });
    expect(matchConditions.at(-1)?.expression).toContain("'^(ok)$'");
  });
});

describe('an injector whose objects name their kinds', () => {
  const rule = (
    group: string,
    kind: string,
    versions: readonly string[] = [],
    operations = ['CREATE', 'UPDATE'],
  ) => ({ group, kind, versions, operations }) as KindRule;
  const rulesFor = (kinds: readonly KindRule[] | undefined) => {
    const injector = defineInjector({
      name: 'named',
      summary: '',
      match: { kinds: ['*'], operations: ['CREATE', 'UPDATE'] },
      kindsFrom: () => kinds,
      inject: () => skip('test'),
    });
    return webhookScopes(createPipeline([{ name: 'named', injector }])).map(({ name, rules: [first] }) => {
      return [name, first?.apiVersions, first?.resources, first?.operations, first?.scope];
    });
  };

  it('is sent these kinds, in their versions and operations', () => {
    expect(
      rulesFor([rule('', 'Pod', ['v1']), rule('apps', 'Deployment', ['v1', 'v1beta1'], ['UPDATE'])]),
    ).toEqual([
      ['pods', ['v1'], ['pods'], ['CREATE'], 'Namespaced'],
      ['deployments.apps', ['v1', 'v1beta1'], ['deployments'], ['UPDATE'], 'Namespaced'],
    ]);
  });

  it('is sent the whole group of a custom resource, and each kind once', () => {
    expect(rulesFor([rule('apps', 'Deployment'), rule('apps', 'Robot'), rule('', 'Robot')])).toEqual([
      ['any.apps', ['*'], ['*'], ['CREATE', 'UPDATE'], '*'],
    ]);
  });

  it.each([
    ['the objects are not known', undefined],
    ['one is for all kinds', [rule('*', '*')]],
    ['one is for an unknown kind of any group', [rule('*', 'Robot')]],
  ])('is sent all kinds if %s', (_, kinds) => {
    expect(rulesFor(kinds)).toEqual([['any', ['*'], ['*'], ['CREATE', 'UPDATE'], '*']]);
  });

  it('is sent nothing if there are none', () => {
    expect(rulesFor([])).toEqual([]);
  });
});
