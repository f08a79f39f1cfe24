import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
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
      /match\.conditions\.0: must evaluate to bool but got dyn/,
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
      '$when on the whole overlay',
      'with: {overlay: {$when: "true", metadata: {labels: {a: b}}}}\n',
      /use "match\.conditions" for all of it/,
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

describe('at run time', () => {
  test('an expression that fails names the injector and the reason', async () => {
    const { code, stderr } = await run(label("object.metadata.annotations['x']"));
    expect(code).toBe(1);
    expect(stderr).toContain(
      `Injector "house" failed: expression 'object.metadata.annotations['x']' resulted in error: no such key: annotations`,
    );
  });

  test('a value of the wrong type is an error instead of a patch that the API server rejects', async () => {
    const { code, stderr } = await run(label('1 + 1'));
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
});

test('conditions are printed as matchConditions of the webhook', async () => {
  writeFileSync(
    join(cwd, 'podgraft.yaml'),
    `${HEAD}    match: {conditions: ["object.metadata.name != 'a'", "true"]}\n    with: {overlay: {metadata: {labels: {a: b}}}}\n`,
  );
  const { stdout } = await podgraft(['manifests'], { cwd });
  expect(stdout).toContain(`(object.metadata.name != 'a') && (true)`);
});
