import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { expect, it } from 'vitest';
import { completeFields } from './complete-fields.ts';

/** The completions at the cursor, written as ^, that begin with the word before it. */
async function at(text: string): Promise<readonly string[]> {
  const pos = text.indexOf('^');
  const doc = text.replace('^', '');
  const result = await completeFields(new CompletionContext(EditorState.create({ doc }), pos, true));
  const word = doc.slice(result?.from ?? pos, pos);
  return (result?.options ?? []).filter(({ label }) => label.startsWith(word)).map(({ label }) => label);
}

const POD = 'apiVersion: v1\nkind: Pod\n';

it.each([
  ['fields of a Pod', `${POD}spec:\n  restart^`, ['restartPolicy']],
  ['fields of a container', `${POD}spec:\n  containers:\n    - name: a\n      liv^`, ['livenessProbe']],
  ['values of an enum', `${POD}spec:\n  restartPolicy: ^`, ['Always', 'Never', 'OnFailure']],
  ['booleans', `${POD}spec:\n  hostNetwork: t^`, ['true']],
  ['kinds of a group', 'apiVersion: apps/v1\nkind: D^', ['DaemonSet', 'Deployment']],
  ['versions of groups', 'apiVersion: apps^', ['apps/v1']],
  ['the first keys', 'k^', ['kind']],
])('completes %s', async (_, text, expected) => {
  expect(await at(text)).toEqual(expected);
});

it('leaves out existing keys', async () => {
  const fields = await at(`${POD}spec:\n  containers:\n    - name: a\n      image: b\n      ^`);
  expect(fields).toContain('env');
  expect(fields).not.toContain('name');
  expect(fields).not.toContain('image');
});

it('completes nothing for custom kinds and for maps', async () => {
  expect(await at('apiVersion: example.com/v1\nkind: Widget\nspec:\n  a^')).toEqual([]);
  expect(await at(`${POD}metadata:\n  labels:\n    a^`)).toEqual([]);
});
