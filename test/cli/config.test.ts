import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { podgraft } from '../podgraft-process.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'podgraft-config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const HEAD = 'apiVersion: podgraft.dev/v1alpha1\nkind: Config\n';
const POD = 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: a, image: nginx}]}\n';
const inject = (config: string) => {
  writeFileSync(join(folder, 'podgraft.yaml'), config);
  return podgraft(['inject', '-f', '-'], { cwd: folder, input: POD });
};

describe('a mistake in the configuration is reported with file, line and key, and without a stack trace', () => {
  test.each([
    ['broken YAML', `${HEAD}injectors: [\n`, 'podgraft.yaml:4: '],
    [
      'an unknown key',
      `${HEAD}injectors: []\ninjecters: []\n`,
      'podgraft.yaml:4: injecters: unknown key "injecters"',
    ],
    [
      'an unknown key that resembles no other',
      `${HEAD}injectors: []\nfrobnicate: []\n`,
      'podgraft.yaml:4: frobnicate: unknown key "frobnicate", expected apiVersion, kind, injectors, exclude, oversized, workloads, validate',
    ],
    [
      'an unknown key that resembles another',
      `${HEAD}injectors:\n  - name: a\n    use: metadata\n    whith: {}\n`,
      'podgraft.yaml:6: injectors.0.whith: unknown key "whith", did you mean "with"?',
    ],
    [
      'a list instead of a map',
      `${HEAD}injectors: []\nexclude: [kube-system]\n`,
      'podgraft.yaml:4: exclude: expected a map, found a list\n',
    ],
    [
      'a list instead of labels',
      `${HEAD}injectors:\n  - name: a\n    use: metadata\n    with: {labels: [a]}\n`,
      'podgraft.yaml:6: injectors.0.with.labels: expected a map, found a list\n',
    ],
    ['two documents', `${HEAD}injectors: []\n---\n${HEAD}`, 'podgraft.yaml:4: expected one document\n'],
    [
      'an unresolved alias',
      `${HEAD}\ninjectors: [*stamp]\n`,
      'podgraft.yaml:4: Unresolved alias (the anchor must be set before the alias): stamp\n',
    ],
    [
      'excessive aliases',
      `a: &a [x, x, x]\nb: &b [${'*a,'.repeat(20)}]\nc: [${'*b,'.repeat(20)}]\n`,
      'podgraft.yaml:3: Excessive alias count',
    ],
    ['no injectors', HEAD, 'podgraft.yaml:1: injectors: missing'],
    [
      'another apiVersion',
      'apiVersion: v1\nkind: Config\ninjectors: []\n',
      'podgraft.yaml:1: apiVersion: expected "podgraft.dev/v1alpha1", found "v1"',
    ],
    [
      'an unknown injector',
      `${HEAD}injectors:\n  - name: a\n    use: metadatta\n`,
      'podgraft.yaml:5: injectors.0.use: unknown injector "metadatta", did you mean "metadata"?',
    ],
    [
      'an unknown key under with',
      `${HEAD}injectors:\n  - name: a\n    use: metadata\n    with:\n      labels: {a: b}\n      anotations: {}\n`,
      'podgraft.yaml:8: injectors.0.with.anotations: unknown key "anotations"',
    ],
    [
      'a value of the wrong type',
      `${HEAD}injectors:\n  - name: a\n    use: metadata\n    with: {labels: {replicas: 3}}\n`,
      'podgraft.yaml:6: injectors.0.with.labels.replicas: expected string, found 3',
    ],
    [
      'a duplicate name',
      `${HEAD}injectors:\n  - {name: a, use: metadata, with: {labels: {a: b}}}\n  - {name: a, use: metadata, with: {labels: {a: b}}}\n`,
      'podgraft.yaml:5: injectors.1.name: duplicate injector name "a"',
    ],
    ...[
      ['pods', 'Pod'],
      ['deployments', 'Deployment'],
      ['Deploment', 'Deployment'],
      ['statefulset', 'StatefulSet'],
    ].map(([wrong, right]): [string, string, string] => [
      `the kind ${wrong}`,
      `${HEAD}injectors:\n  - name: a\n    use: overlay\n    match: {kinds: [${wrong}]}\n    with: {overlay: {}}\n`,
      `podgraft.yaml:6: injectors.0.match.kinds.0: unknown kind "${wrong}", did you mean "${right}"?\n`,
    ]),
    [
      'an unknown kind',
      `${HEAD}injectors:\n  - name: a\n    use: metadata\n    match: {kinds: [Widget]}\n    with: {labels: {a: b}}\n`,
      'podgraft.yaml:6: injectors.0.match.kinds.0: unknown kind "Widget"',
    ],
    [
      'an unknown directive',
      `${HEAD}injectors:\n  - name: a\n    use: overlay\n    with:\n      overlay:\n        spec: {priority: {$forse: 3}}\n`,
      'podgraft.yaml:8: injectors.0.with.overlay.spec.priority.$forse: unknown directive "$forse"',
    ],
    [
      'a directive instead of the whole overlay',
      `${HEAD}injectors:\n  - name: a\n    use: overlay\n    with:\n      overlay: {$force: {spec: {}}}\n`,
      'podgraft.yaml:7: injectors.0.with.overlay.$force: "$force" is for a field, not for the whole object\n',
    ],
    [
      'a directive instead of an item',
      `${HEAD}injectors:\n  - name: a\n    use: overlay\n    with:\n      overlay:\n        spec: {tolerations: [{$force: {}}]}\n`,
      'podgraft.yaml:8: injectors.0.with.overlay.spec.tolerations.0.$force: "$force" is for a field, not for an item',
    ],
    [
      'an overlay with a value that Kubernetes rejects',
      `${HEAD}injectors:\n  - name: a\n    use: overlay\n    with:\n      overlay:\n        metadata:\n          annotations: {enabled: true}\n`,
      'podgraft.yaml:9: injectors.0.with.overlay.metadata.annotations.enabled: expected string, found true\n',
    ],
    [
      'a label that Kubernetes rejects',
      `${HEAD}injectors:\n  - name: a\n    use: metadata\n    with:\n      labels:\n        team: the best\n`,
      'podgraft.yaml:8: injectors.0.with.labels.team: expected at most 63 letters, digits',
    ],
    [
      'an overlay with an item without its key',
      `${HEAD}injectors:\n  - name: a\n    use: overlay\n    with:\n      overlay:\n        spec:\n          containers:\n            - image: x\n`,
      'podgraft.yaml:10: injectors.0.with.overlay.spec.containers.0: an item needs "name"\n',
    ],
    [
      'an overlay with a field that Pods do not have',
      `${HEAD}injectors:\n  - name: a\n    use: overlay\n    with:\n      overlay:\n        spec:\n          containers:\n            - name: "*"\n              imagePullpolicy: Always\n`,
      'podgraft.yaml:11: injectors.0.with.overlay.spec.containers.0.imagePullpolicy: unknown field "imagePullpolicy", did you mean "imagePullPolicy"?\n',
    ],
    [
      'an overlay for Pods on Deployments',
      `${HEAD}injectors:\n  - name: a\n    use: overlay\n    match: {kinds: [Deployment]}\n    with:\n      overlay:\n        spec: {containers: []}\n`,
      'podgraft.yaml:9: injectors.0.with.overlay.spec.containers: unknown field "containers", did you mean "spec.template.spec.containers"?\n',
    ],
    [
      'a missing module',
      `${HEAD}injectors:\n  - name: a\n    use: ./nowhere.ts\n`,
      'podgraft.yaml:5: injectors.0.use: Cannot load module "./nowhere.ts"',
    ],
  ])('%s', async (_, config, message) => {
    const { code, stdout, stderr } = await inject(config);
    expect(stderr).toContain(`error: ${message}`);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  test('a missing file', async () => {
    const { code, stderr } = await podgraft(['serve', '--http', '--config', 'nowhere.yaml'], { cwd: folder });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'error: Cannot read configuration "nowhere.yaml": no such file\n',
    });
  });
});

describe('a configuration with settings that have no effect', () => {
  const FILLS = `${HEAD}injectors:
  - name: a
    use: overlay
    with:
      overlay:
        spec:
          containers: [{name: "*", imagePullPolicy: Always}]
`;
  const warning =
    'podgraft.yaml:9: injectors.0.with.overlay.spec.containers.0.imagePullPolicy: every Pod has "imagePullPolicy" by then';

  test('is used with a warning', async () => {
    const { code, stderr } = await inject(FILLS);
    expect(code).toBe(0);
    expect(stderr).toContain(`warning: ${warning}`);
  });

  test('causes a warning of manifests', async () => {
    writeFileSync(join(folder, 'podgraft.yaml'), FILLS);
    const { code, stderr } = await podgraft(['manifests', '--config', 'podgraft.yaml'], { cwd: folder });
    expect(code).toBe(0);
    expect(stderr).toContain(`warning: ${warning}`);
  });

  test("causes a warning in the server's log", async () => {
    writeFileSync(join(folder, 'podgraft.yaml'), FILLS);
    // Without a source for the certificate it ends, after it has read the configuration.
    const { stdout, stderr } = await podgraft(['serve', '--config', 'podgraft.yaml'], { cwd: folder });
    expect(stdout + stderr).toContain(warning.replaceAll('"', '\\"'));
  });

  test('may have fields of a newer Kubernetes', async () => {
    const overlay = 'overlay: {spec: {fieldOfTomorrow: 1}}';
    const { code, stderr } = await inject(
      `${HEAD}injectors:\n  - name: a\n    use: overlay\n    with: {unknownFields: warn, ${overlay}}\n`,
    );
    expect(code).toBe(0);
    expect(stderr).toBe(
      'warning: podgraft.yaml:6: injectors.0.with.overlay.spec.fieldOfTomorrow: unknown field "fieldOfTomorrow"\n',
    );
  });
});

describe("a user's own injector", () => {
  test('in TypeScript resolves "podgraft" from any folder', async () => {
    writeFileSync(
      join(folder, 'greet.ts'),
      `import { configFrom, defineInjector, overlay, type Pod } from 'podgraft';
       import { greeting } from './greeting.ts';
       interface Settings { name: string }
       export const greet = defineInjector<Settings, Pod>({
         name: 'greet', summary: 'Greets', match: {},
         config: (raw) => raw as Settings,
         inject: (_pod, { config }) => overlay({ metadata: { annotations: { greeting: greeting(config.name) } } }),
       });`,
    );
    writeFileSync(
      join(folder, 'greeting.ts'),
      `export const greeting = (name: string): string => 'hello ' + name;\n`,
    );
    const { code, stdout, stderr } = await inject(
      `${HEAD}injectors:\n  - {name: greet, use: ./greet.ts, with: {name: world}}\n`,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('greeting: hello world');
  });

  test('can use the libraries of the built-in injectors', async () => {
    writeFileSync(
      join(folder, 'libraries.ts'),
      `import { defineInjector, overlay } from 'podgraft';
import { compile, kubernetesEnvironment } from 'podgraft/cel';
import { execute, parseTemplate, sprigFunctions } from 'podgraft/gotemplate';
import { clusterObjects } from 'podgraft/policy';

const name = compile('object.metadata.name', kubernetesEnvironment());
const template = parseTemplate('greeting', 'hello-{{ . | upper }}', { functions: sprigFunctions() });
const { namespaceLabels } = clusterObjects([]);
export default defineInjector({
  name: 'greeting',
  summary: '',
  match: {},
  inject(object) {
    const greeting = execute(template, String(name.evaluate({ object })));
    const namespace = namespaceLabels('default')?.['kubernetes.io/metadata.name'] ?? '';
    return overlay({ metadata: { labels: { greeting, namespace } } });
  },
});
`,
    );
    const { code, stdout, stderr } = await inject(`${HEAD}injectors:\n  - {name: a, use: ./libraries.ts}\n`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('{greeting: hello-P, namespace: default}');
  });

  test('with a syntax error is reported with line and column', async () => {
    writeFileSync(join(folder, 'broken.ts'), 'export const fine = 1;\nconst y = {{;\n');
    const { code, stderr } = await inject(`${HEAD}injectors:\n  - {name: a, use: ./broken.ts}\n`);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Cannot load module "\.\/broken\.ts": ParseError: .* at .*broken\.ts:2:11\n$/);
  });

  test('is missing from a module', async () => {
    writeFileSync(join(folder, 'empty.mjs'), 'export const nothing = 1;\n');
    const { code, stderr } = await inject(`${HEAD}injectors:\n  - {name: a, use: ./empty.mjs}\n`);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'podgraft.yaml:4: injectors.0.use: Cannot use module "./empty.mjs": no exported injector',
    );
  });

  test('whose "reads" is a list is rejected', async () => {
    writeFileSync(
      join(folder, 'list.mjs'),
      `export default { name: 'mine', summary: '', match: {}, reads: [], inject: () => ({ skip: '' }) };\n`,
    );
    const { code, stderr } = await inject(`${HEAD}injectors:\n  - {name: a, use: ./list.mjs}\n`);
    expect(code).toBe(1);
    expect(stderr).toContain('Cannot use module "./list.mjs": "reads" of injector "mine" is not a function');
  });

  test.each([
    ['kindsFrom: []', '"kindsFrom" of injector "mine" is not a function'],
    ['asOverlay: {}', '"asOverlay" of injector "mine" is not a function'],
    ["runs: 'Policy'", '"runs" of injector "mine" is not a list of kinds'],
    ["sample: { title: 'A Pod' }", '"sample" of injector "mine" has no title or no yaml'],
  ])('with "%s" is rejected', async (member, problem) => {
    const injector = `{ name: 'mine', summary: '', match: {}, inject: () => ({ skip: '' }), ${member} }`;
    writeFileSync(join(folder, 'member.mjs'), `export default ${injector};\n`);
    const { code, stderr } = await inject(`${HEAD}injectors:\n  - {name: a, use: ./member.mjs}\n`);
    expect(code).toBe(1);
    expect(stderr).toContain(`Cannot use module "./member.mjs": ${problem}`);
  });

  test('can reject its configuration for the matched kinds', async () => {
    const check = `check: (config, [{ kind }]) => [{ path: ['size'], message: 'not for ' + kind }]`;
    const injector = `{ name: 'mine', summary: '', match: {}, config: (raw) => raw, inject: () => ({ skip: '' }), ${check} }`;
    writeFileSync(join(folder, 'check.mjs'), `export default ${injector};\n`);
    const entry = '  - name: a\n    use: ./check.mjs\n    with:\n      size: 3\n';
    const { code, stderr } = await inject(`${HEAD}injectors:\n${entry}`);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'error: podgraft.yaml:7: injectors.0.with.size: not for Pod\n',
    });
  });

  test('whose "reads" throws is rejected', async () => {
    const reads = `reads() { throw new TypeError('no idea'); }`;
    const injector = `{ name: 'mine', summary: '', match: {}, inject: () => ({ skip: '' }), ${reads} }`;
    writeFileSync(join(folder, 'reads.mjs'), `export default ${injector};\n`);
    const { code, stderr } = await inject(`${HEAD}injectors:\n  - {name: a, use: ./reads.mjs}\n`);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'error: podgraft.yaml:4: injectors.0.use: Cannot use "./reads.mjs": TypeError: no idea\n',
    });
  });

  test('that throws is reported by name', async () => {
    writeFileSync(
      join(folder, 'throws.mjs'),
      `export default { name: 't', summary: 't', match: {}, inject() { throw new Error('boom'); } };\n`,
    );
    const { code, stderr } = await inject(`${HEAD}injectors:\n  - {name: mine, use: ./throws.mjs}\n`);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'error: standard input:1: Pod "p": Injector "mine" failed: boom\n',
    });
  });
});

test('an overlay for a custom resource is checked against the definition in --cluster', async () => {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: [
        {
          name: 'v1',
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
            },
          },
        },
      ],
    },
  };
  writeFileSync(join(folder, 'widgets.json'), JSON.stringify(definition));
  const kind = '{group: example.com, version: v1, kind: Widget, resource: widgets, namespaced: true}';
  const match = `match: {kinds: [${kind}]}`;
  const entry = `injectors:\n  - name: a\n    use: overlay\n    ${match}\n    with:\n      overlay: {spec: {siez: 3}}\n`;
  writeFileSync(join(folder, 'podgraft.yaml'), `${HEAD}${entry}`);
  const widget = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {}\n';
  const run = (...args: string[]) => podgraft(['inject', '-f', '-', ...args], { cwd: folder, input: widget });
  const { code, stderr } = await run('--cluster', 'widgets.json');
  expect(code).toBe(1);
  expect(stderr).toBe(
    'error: podgraft.yaml:8: injectors.0.with.overlay.spec.siez: unknown field "siez", did you mean "size"?\n',
  );
  expect((await run()).stdout).toContain('siez: 3');
});
