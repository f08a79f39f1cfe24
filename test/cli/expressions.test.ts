import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { compile } from '../../src/cel/compile.ts';
import { kubernetesEnvironment } from '../../src/cel/kubernetes-environment.ts';
import { BOOL } from '../../src/cel/types.ts';
import { podgraft } from '../podgraft-process.ts';

const cwd = mkdtempSync(join(tmpdir(), 'podgraft-expressions-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const POD = `apiVersion: v1
kind: Pod
metadata: {name: web, labels: {tier: app}}
spec: {containers: [{name: web, image: nginx}]}
`;
const HEAD =
  'apiVersion: podgraft.dev/v1alpha1\nkind: Config\ninjectors:\n  - name: house\n    use: overlay\n';
const run = (entry: string, ...args: string[]) => {
  writeFileSync(join(cwd, 'podgraft.yaml'), HEAD + entry.replaceAll(/^(?=.)/gm, '    '));
  return podgraft([args[0] ?? 'explain', '-f', '-', ...args.slice(1)], { cwd, input: POD });
};
const label = (expression: string) => `with: {overlay: {metadata: {labels: {a: {$cel: "${expression}"}}}}}\n`;

const container = (field: string) => `with: {overlay: {spec: {containers: [{name: "*", ${field}}]}}}\n`;

describe('a mistake in an expression is reported with file, line, key and position', () => {
  test.each([
    [
      'syntax',
      label('object.'),
      /podgraft\.yaml:6: injectors\.0\.with\.overlay\.metadata\.labels\.a\.\$cel: 1:8: Syntax error/,
    ],
    ['an unknown name', label('objekt.spec'), /\$cel: 1:1: undeclared reference to 'objekt'/],
    [
      'a field that Pods do not have',
      label('object.spec.container[0].name'),
      /\$cel: 1:12: undefined field 'container' \(for Pod\)/,
    ],
    ['item outside of a pattern', label('item.name'), /undeclared reference to 'item'/],
    ['params without params', label('params.data.a'), /undeclared reference to 'params'/],
    [
      'a condition that is not a bool',
      'match: {conditions: ["object.metadata.name"]}\nwith: {overlay: {metadata: {labels: {a: b}}}}\n',
      /match\.conditions\.0: 1:1: must evaluate to bool but got dyn/,
    ],
    [
      'a $when that is not a bool',
      'with: {overlay: {spec: {containers: [{name: "*", $when: item.image, env: [{name: A, value: b}]}]}}}\n',
      /\$when: 1:1: must evaluate to bool but got dyn/,
    ],
    [
      'a misspelt field in a condition',
      'match: {conditions: ["object.spec.hostnetwork == true"]}\nwith: {overlay: {metadata: {labels: {a: b}}}}\n',
      /podgraft\.yaml:6: injectors\.0\.match\.conditions\.0: 1:12: undefined field 'hostnetwork' \(for Pod\)/,
    ],
    [
      'a misspelt field of an item',
      'with: {overlay: {spec: {containers: [{name: "*", $when: "item.imag != \'\'", env: [{name: A, value: b}]}]}}}\n',
      /\$when: 1:5: undefined field 'imag' \(for Pod\)/,
    ],
    [
      'the namespace in a condition, where it is null',
      "match: {conditions: [\"namespaceObject.metadata.labels['a'] == 'b'\"]}\nwith: {overlay: {metadata: {labels: {a: b}}}}\n",
      /podgraft\.yaml:6: injectors\.0\.match\.conditions\.0: 1:16: namespaceObject is null in conditions: use "match\.namespaceSelector"/,
    ],
    [
      'an optional field of the namespace in a condition',
      "match: {conditions: [\"namespaceObject.?metadata.?name.orValue('') == 'b'\"]}\nwith: {overlay: {metadata: {labels: {a: b}}}}\n",
      /namespaceObject is null in conditions: use "match\.namespaceSelector"/,
    ],
    [
      'authorizer in a condition',
      "match: {conditions: [\"authorizer.group('').resource('pods').check('get').allowed()\"]}\nwith: {overlay: {metadata: {labels: {a: b}}}}\n",
      /1:1: undeclared reference to 'authorizer' .*: it is available in admission policies only/,
    ],
    [
      'authorizer in an overlay',
      label('string(authorizer.serviceAccount)'),
      /undeclared reference to 'authorizer' .*: it is available in admission policies only/,
    ],
    [
      'a misspelt kind of params',
      'with: {params: {kind: Configmap, name: a}, overlay: {metadata: {labels: {a: b}}}}\n',
      /params\.kind: unknown kind "Configmap", did you mean "ConfigMap"\?/,
    ],
    [
      '$when on the whole overlay',
      'with: {overlay: {$when: "true", metadata: {labels: {a: b}}}}\n',
      /use "match\.conditions" for all of it/,
    ],
    [
      'a misspelt field beside an expression',
      container('imagePullpolicy: {$force: {$cel: "\'Always\'"}}'),
      /podgraft\.yaml:6: .*\.imagePullpolicy: unknown field "imagePullpolicy", did you mean "imagePullPolicy"\?/,
    ],
    [
      'a misspelt key of a conditional value',
      container("env: [{name: A, valeu: {$when: 'true', $cel: item.name}}]"),
      /podgraft\.yaml:6: .*unknown field "valeu"/,
    ],
    [
      'an invalid key of a label',
      'with: {overlay: {metadata: {labels: {-a-: {$cel: object.metadata.name}}}}}\n',
      /podgraft\.yaml:6: .*labels\.-a-: expected a key like "name"/,
    ],
    [
      'a label that is a number',
      label('1 + 1'),
      /podgraft\.yaml:6: .*\.a\.\$cel: 1:1: must evaluate to string but got int \(for Pod\)/,
    ],
    [
      'a forced string for a number',
      'with: {overlay: {spec: {priority: {$force: {$cel: "\'high\'"}}}}}\n',
      /priority\.\$force\.\$cel: 1:1: must evaluate to int but got string/,
    ],
    [
      'a least amount that is a bool',
      'with: {overlay: {spec: {terminationGracePeriodSeconds: {$atLeast: {$cel: "true"}}}}}\n',
      /must evaluate to int but got bool/,
    ],
    [
      'a number for a word',
      container('imagePullPolicy: {$force: {$cel: size(item.name)}}'),
      /must evaluate to string but got int/,
    ],
    [
      'a field of another type',
      container('env: [{name: A, value: {$cel: object.spec.hostNetwork}}]'),
      /must evaluate to string but got bool/,
    ],
    [
      'a variable of another type',
      'with: {variables: {one: "1"}, overlay: {metadata: {labels: {a: {$cel: variables.one}}}}}\n',
      /must evaluate to string but got int/,
    ],
    [
      'a variable whose name is not an identifier',
      'with: {variables: {a-b: "1"}, overlay: {metadata: {labels: {a: b}}}}\n',
      /podgraft\.yaml:6: injectors\.0\.with\.variables\.a-b: must be a valid CEL identifier/,
    ],
    [
      'a variable whose name is reserved',
      'with: {variables: {for: "1"}, overlay: {metadata: {labels: {a: b}}}}\n',
      /podgraft\.yaml:6: injectors\.0\.with\.variables\.for: must be a valid CEL identifier/,
    ],
    ['a struct for a string', label('object.spec'), /must evaluate to string but got map/],
    [
      'a number among words',
      container('securityContext: {capabilities: {drop: [{$cel: "1"}]}}'),
      /must evaluate to string but got int/,
    ],
    [
      'a list of numbers for words',
      container('args: {$force: {$cel: "[1]"}}'),
      /must evaluate to list\(string\) but got list\(int\)/,
    ],
    [
      'a map of numbers for words',
      'with: {overlay: {metadata: {labels: {$cel: "{\'a\': 1}"}}}}\n',
      /must evaluate to map\(string, string\) but got map\(string, int\)/,
    ],
    [
      'a label of all kinds that is a number',
      `match: {kinds: ["*"]}\n${label('1')}`,
      /\$cel: 1:1: must evaluate to string but got int\n/,
    ],
    [
      'a key beside a forced expression',
      'with: {overlay: {spec: {hostNetwork: {$force: {$cel: "true", x: 1}}}}}\n',
      /podgraft\.yaml:6: .*hostNetwork\.\$force\.\$cel: "\$cel" must be the only key/,
    ],
    [
      'a key and a bad condition in a forced map',
      'with: {overlay: {spec: {nodeSelector: {$force: {a: {$when: "true", $cel: "\'x\'", b: c}, $when: 5}}}}}\n',
      /\$force\.a\.\$cel: "\$cel" must be the only key[\s\S]*\$force\.\$when: expected a CEL expression/,
    ],
    [
      'a bad expression in a forced list',
      container('args: {$force: [a, {$cel: 5}]}'),
      /\$force\.1\.\$cel: expected a CEL expression/,
    ],
    [
      'a key beside the expression of a least amount',
      'with: {overlay: {spec: {terminationGracePeriodSeconds: {$atLeast: {$cel: "60", x: 1}}}}}\n',
      /terminationGracePeriodSeconds\.\$atLeast\.\$cel: "\$cel" must be the only key/,
    ],
    [
      'an expression that is not a string',
      'with: {overlay: {metadata: {labels: {a: {$cel: 5}}}}}\n',
      /expected a CEL expression/,
    ],
  ])('%s', async (_, entry, message) => {
    const { code, stderr } = await run(entry);
    expect(stderr).toMatch(message);
    expect(code).toBe(1);
  });
});

describe('accepts what may be right for some objects', () => {
  test.each([
    ['a number as a quantity', container('resources: {requests: {cpu: {$cel: "1"}}}')],
    ['a string as a quantity', container('resources: {requests: {cpu: {$cel: "\'1m\'"}}}')],
    [
      'a number or a name as a port',
      container(
        'livenessProbe: {tcpSocket: {port: {$cel: "80"}}}, readinessProbe: {tcpSocket: {port: {$cel: "\'a\'"}}}',
      ),
    ],
    ['a value whose type is not known', label('dyn(1) == dyn(2) ? dyn(1) : dyn(object.metadata.name)')],
    ['an optional', label("object.metadata.?labels[?'tier']")],
    ['null', label('null')],
    ['items from one expression', container('args: [{$cel: "[\'a\']"}, {$cel: "\'b\'"}]')],
    [
      'a struct of the object',
      'with: {overlay: {spec: {securityContext: {$cel: "object.spec.?securityContext.orValue({})"}}}}\n',
    ],
    ['fields by their names', label("object['metadata']['name']")],
    [
      'all fields of a struct',
      label("object.metadata.exists(key, key == 'name') && 'spec' in object ? 'b' : 'c'"),
    ],
  ])('%s', async (_, entry) => {
    const { code, stderr } = await run(entry);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });
});

test('a value that fills a field which every object has is warned about, as without an expression', async () => {
  const { stderr } = await run(container('imagePullPolicy: {$cel: "\'Always\'"}'));
  expect(stderr).toMatch(/every Pod has "imagePullPolicy" by then: use \{\$force: …\} to replace it/);
});

describe('with the definition of a custom resource in --cluster', () => {
  const kind = '{group: example.com, version: v1, kind: Widget, resource: widgets, namespaced: true}';
  const spec = `{type: object, properties: {
    size: {type: integer}, color: {type: string}, a-b: {type: string},
    parts: {type: array, items: {type: object, properties: {name: {type: string}, weight: {type: integer}}}}}}`;
  const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  versions: [{name: v1, schema: {openAPIV3Schema: {type: object, properties: {spec: ${spec}}}}}]
`;
  const check = (entry: string) => {
    writeFileSync(join(cwd, 'widgets.yaml'), definition);
    return run(entry, 'explain', '--cluster', 'widgets.yaml');
  };

  test.each([
    [
      'a misspelt field',
      'overlay: {spec: {color: {$cel: object.spec.colour}}}',
      /color\.\$cel: 1:12: undefined field 'colour' \(for Widget\)/,
    ],
    [
      'a value of the wrong type',
      'overlay: {spec: {size: {$cel: "\'big\'"}}}',
      /size\.\$cel: 1:1: must evaluate to int but got string \(for Widget\)/,
    ],
    [
      'a field of another type',
      'overlay: {spec: {color: {$cel: object.spec.size}}}',
      /must evaluate to string but got int/,
    ],
    [
      'a misspelt field of an item',
      'overlay: {spec: {parts: [{name: "*", weight: {$force: {$cel: item.wieght}}}]}}',
      /\$cel: 1:5: undefined field 'wieght' \(for Widget\)/,
    ],
  ])('%s is an error', async (_, settings, message) => {
    const { code, stderr } = await check(`match: {kinds: [${kind}]}\nwith: {${settings}}\n`);
    expect(stderr).toMatch(message);
    expect(code).toBe(1);
  });

  test('a misspelt field in a condition is an error', async () => {
    const overlay = 'with: {overlay: {metadata: {labels: {a: b}}}}';
    const { stderr } = await check(
      `match: {kinds: [${kind}], conditions: [object.spec.siez > 1]}\n${overlay}\n`,
    );
    expect(stderr).toMatch(/match\.conditions\.0: 1:12: undefined field 'siez' \(for Widget\)/);
  });

  test('a field that is no CEL name is found by its key', async () => {
    const { stderr } = await check(
      `match: {kinds: [${kind}]}\nwith: {overlay: {spec: {color: {$cel: "object.spec['a-b']"}}}}\n`,
    );
    expect(stderr).toBe('');
  });
});

describe('at run time', () => {
  test('an expression that fails names the injector and the reason', async () => {
    const { code, stderr } = await run(label("object.metadata.annotations['x']"));
    expect(code).toBe(1);
    expect(stderr).toContain(
      `Injector "house" failed: expression 'object.metadata.annotations['x']' resulted in error: no such key: annotations`,
    );
  });

  test('a value of the wrong type is an error instead of a patch that the API server rejects', async () => {
    const { code, stderr } = await run(label('dyn(1 + 1)'));
    expect(code).toBe(1);
    expect(stderr).toMatch(/Injector "house" failed: metadata\.labels\.a: expected .*string/);
  });

  test('an unknown field beside an expression is accepted with unknownFields: warn', async () => {
    const overlay =
      'overlay: {metadata: {labels: {a: {$cel: "\'b\'"}}}, spec: {brandNew: {c: {$cel: "\'d\'"}, e: 1}}}';
    const { code, stdout } = await run(`with: {unknownFields: warn, ${overlay}}\n`, 'inject');
    expect(code).toBe(0);
    expect(stdout).toContain('brandNew');
  });

  test('an injector whose condition is not true is unmatched, and explain shows the condition', async () => {
    const { stdout } = await run(
      `match: {conditions: ["object.metadata.?labels['tier'].orValue('') != 'app'"]}\nwith: {overlay: {metadata: {labels: {a: b}}}}\n`,
    );
    expect(stdout).toContain(
      "  house     unmatched  condition is not true: object.metadata.?labels['tier'].orValue('') != 'app'\n",
    );
  });

  test.each([
    ['names: [db-*]', 'names do not include "web"'],
    ['users: ["system:*"]', 'users do not include "kubernetes-admin"'],
    ['groups: [ops]', 'groups do not include one of the user'],
    ['hasAnnotations: [example.com/inject]', 'no annotation "example.com/inject"'],
    ['exclude: {names: [w*]}', 'name "web" is excluded'],
    ['exclude: {users: [kubernetes-*]}', 'user "kubernetes-admin" is excluded'],
    ['exclude: {namespaces: [def*]}', 'namespace "default" is excluded'],
    ['exclude: {objectSelector: {matchLabels: {tier: app}}}', 'excluded by its labels'],
  ])('match: {%s}', async (match, reason) => {
    const { stdout } = await run(`match: {${match}}\nwith: {overlay: {metadata: {labels: {a: b}}}}\n`);
    expect(stdout).toContain(`  house     unmatched  ${reason}\n`);
  });

  test.each([
    'names: [db-*, w*b]',
    'users: ["system:*", "kubernetes-*"]',
    'objectSelector: {matchExpressions: [{key: tier, operator: In, values: [app]}]}',
    'exclude: {names: [db-*]}',
    'exclude: {users: ["system:*"]}',
    'exclude: {groups: ["*"]}',
    'exclude: {namespaces: [prod-*]}',
    'exclude: {objectSelector: {matchLabels: {tier: db}}}',
    'exclude: {hasAnnotations: [example.com/skip]}',
    'names: [web], users: ["*"], exclude: {names: [], hasAnnotations: []}',
  ])('match: {%s} includes the Pod', async (match) => {
    const { stdout } = await run(`match: {${match}}\nwith: {overlay: {metadata: {labels: {a: b}}}}\n`);
    expect(stdout).toMatch(/ {2}house +grafted/);
  });
});

test('conditions are printed as matchConditions of the webhook', async () => {
  writeFileSync(
    join(cwd, 'podgraft.yaml'),
    `${HEAD}    match: {conditions: ["object.metadata.name != 'a'", "true"]}\n    with: {overlay: {metadata: {labels: {a: b}}}}\n`,
  );
  const { stdout } = await podgraft(['manifests'], { cwd });
  expect(stdout).toContain(`(object.metadata.name != 'a') && (true)`);
});

test('a comment in a condition hides nothing of the printed matchConditions', async () => {
  const injector = (name: string, conditions: string) =>
    `- {name: ${name}, use: metadata, match: {conditions: ${conditions}}, with: {labels: {a: b}}}\n`;
  writeFileSync(
    join(cwd, 'podgraft.yaml'),
    `apiVersion: podgraft.dev/v1alpha1\nkind: Config\ninjectors:\n${injector('one', '["false // never", "true"]')}${injector('two', '["request.name != \'a\' // why"]')}`,
  );
  const { stdout } = await podgraft(['manifests'], { cwd });
  const found = parseAllDocuments(stdout)
    .map((document) => document.toJS())
    .filter(({ kind }) => kind === 'MutatingWebhookConfiguration')
    .flatMap(({ webhooks }) => webhooks)
    .flatMap(({ matchConditions }) => matchConditions)
    .find(({ name }) => name === 'conditions');
  const program = compile(found.expression, kubernetesEnvironment(), { resultType: BOOL });
  expect(['a', 'b'].map((name) => program.evaluate({ request: { name } }))).toEqual([false, true]);
});
