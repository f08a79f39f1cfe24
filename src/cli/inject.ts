import { stringify } from 'yaml';
import { isInexact } from '../json/is-inexact.ts';
import type { Operation } from '../json/operation.ts';
import { asJson } from '../kube/kube-object.ts';
import type { ManifestOutcome } from '../pipeline/run-manifest.ts';
import { spliceYaml } from '../yaml/splice-yaml.ts';
import type { InputDocument, InputFile, InputObject } from './read-input.ts';
import { type InputOptions, type InputRun, nameOf, runInput } from './run-input.ts';

export interface InjectOptions extends InputOptions {
  readonly output: 'yaml' | 'json' | 'patch';
}

/**
 * Prints the input as admission would store it. An object that would be denied, or on which an injector fails, is left out:
 * nobody could apply it.
 */
export async function inject(options: InjectOptions): Promise<void> {
  const run = await runInput(options);
  if (options.output !== 'patch') warnOfInexact(run, options.output);
  process.stdout.write(renderers[options.output](run, options));
}

/** What is printed anew, and not kept as it was written, goes through JavaScript's numbers. */
function warnOfInexact({ files, outcomes }: InputRun, output: 'yaml' | 'json'): void {
  const documents = files.flatMap((file) => file.documents);
  const anew = output === 'json' ? documents : documents.filter(({ text }) => isJsonText(text));
  for (const input of anew.flatMap(({ objects }) => objects)) {
    if (!outcomes.has(input) || !isInexact(asJson(input.object))) continue;
    const what = `${input.place}: ${nameOf(input.object)}`;
    process.stderr.write(`warning: ${what}: an integer beyond 2^53 is not printed exactly\n`);
  }
}

const renderers: Record<InjectOptions['output'], (run: InputRun, options: InjectOptions) => string> = {
  yaml: ({ files, outcomes }) => files.map((file) => renderFile(file, outcomes)).reduce(joinFiles, ''),

  json: ({ outcomes }) => {
    const objects = [...outcomes.values()].filter(({ allowed }) => allowed).map(({ object }) => object);
    const [only] = objects;
    const printed = objects.length === 1 ? only : { apiVersion: 'v1', kind: 'List', items: objects };
    return `${JSON.stringify(printed, null, 2)}\n`;
  },

  patch: ({ outcomes }, { namespace }) => {
    const patches = [...outcomes].map(([{ object }, { patch }]) => {
      const { name, generateName, namespace: own = namespace } = object.metadata;
      const identity = name === undefined ? { generateName } : { name };
      return {
        resource: { apiVersion: object.apiVersion, kind: object.kind, namespace: own, ...identity },
        patch,
      };
    });
    return `${JSON.stringify(patches, null, 2)}\n`;
  },
};

type Outcomes = InputRun['outcomes'];

function renderFile({ documents }: InputFile, outcomes: Outcomes): string {
  return documents.map((document) => renderDocument(document, outcomes)).join('');
}

function renderDocument({ text, objects }: InputDocument, outcomes: Outcomes): string {
  const isLeft = (input: InputObject) => outcomes.get(input)?.allowed === true;
  if (objects.length > 0 && !objects.some(isLeft)) return '';
  // JSON has no comments to keep, and was not asked for.
  if (isJsonText(text)) return renderFresh(objects.flatMap((input) => outcomes.get(input) ?? []));
  // From the end, so that the places of items still to come stay right.
  return objects.toReversed().reduce((current, input) => {
    if (!isLeft(input)) return spliceYaml(current, [{ op: 'remove', path: input.at }]);
    const patch = outcomes.get(input)?.patch ?? [];
    return patch.length === 0 ? current : spliceYaml(current, at(input.at, patch));
  }, text);
}

function isJsonText(text: string): boolean {
  return /^\s*[{[]/.test(text);
}

function renderFresh(outcomes: readonly ManifestOutcome[]): string {
  const objects = outcomes.filter(({ allowed }) => allowed).map(({ object }) => object);
  return objects
    .map((object) => `---\n${stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })}`)
    .join('');
}

function at(path: string, patch: readonly Operation[]): readonly Operation[] {
  return path === '' ? patch : patch.map((operation) => moved(operation, path));
}

function moved(operation: Operation, path: string): Operation {
  return {
    ...operation,
    path: path + operation.path,
    ...('from' in operation && { from: path + operation.from }),
  };
}

function joinFiles(before: string, next: string): string {
  if (before === '' || next === '') return before + next;
  const ended = before.endsWith('\n') ? before : `${before}\n`;
  return /^(?:#[^\n]*\n|\s*\n)*---/.test(next) ? ended + next : `${ended}---\n${next}`;
}
