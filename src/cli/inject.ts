import { isInexact } from '../json/is-inexact.ts';
import type { Patch } from '../json/operation.ts';
import { asJson } from '../kube/kube-object.ts';
import { toYaml } from '../kubernetes-yaml.ts';
import type { ManifestOutcome } from '../pipeline/run-manifest.ts';
import { editDocument, patchAt } from '../yaml/edit-document.ts';
import { isFunctionList, resultsOperation } from './function-list.ts';
import { nameOf } from './message.ts';
import type { InputDocument, InputFile, InputObject } from './read-input.ts';
import { type InputOptions, type InputRun, runInput } from './run-input.ts';
import { unifiedDiff } from './unified-diff.ts';

export interface InjectOptions extends InputOptions {
  readonly output: 'yaml' | 'json' | 'patch' | 'diff';
}

/**
 * Prints the input as the API server would store it, without its defaults. Objects that are denied or invalid, or for which an
 * injector fails, are left out, since they could not be applied.
 */
export async function inject(options: InjectOptions): Promise<void> {
  const run = await runInput(options);
  if (options.output === 'yaml' || options.output === 'json') warnAboutInexactNumbers(run, options.output);
  process.stdout.write(renderers[options.output](run, options));
}

/** Objects that are printed again, instead of being edited in place, lose precision beyond JavaScript's numbers. */
function warnAboutInexactNumbers({ files, outcomes }: InputRun, output: 'yaml' | 'json'): void {
  const documents = files.flatMap((file) => file.documents);
  const printed = output === 'json' ? documents : documents.filter(({ yaml }) => isJsonText(yaml.text));
  for (const input of printed.flatMap(({ objects }) => objects)) {
    if (!outcomes.has(input) || !isInexact(asJson(input.object))) continue;
    const what = `${input.place}: ${nameOf(input.object)}`;
    process.stderr.write(`warning: ${what}: an integer beyond 2^53 is not printed exactly\n`);
  }
}

const renderers: Record<InjectOptions['output'], (run: InputRun, options: InjectOptions) => string> = {
  yaml: (run) => run.files.map((file) => renderFile(file, run)).reduce(joinFiles, ''),

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

  diff: ({ files, outcomes }) =>
    files
      .map(({ name, documents }) => {
        const before = documents.map(({ yaml }) => yaml.text).join('');
        const after = documents
          .map((document) => editDocument(document.yaml, patchOf(document, outcomes)))
          .join('');
        return unifiedDiff(name, before, after, { colour: process.stdout.isTTY });
      })
      .join(''),
};

/** Denied objects have no patch and stay unchanged. */
function patchOf({ objects }: InputDocument, outcomes: Outcomes): Patch {
  return objects.flatMap((input) => patchAt(input.at, outcomes.get(input)?.patch ?? []));
}

type Outcomes = InputRun['outcomes'];

function renderFile({ documents }: InputFile, run: InputRun): string {
  return documents.map((document) => renderDocument(document, run)).join('');
}

function renderDocument(document: InputDocument, { outcomes, messages }: InputRun): string {
  const { yaml, objects } = document;
  const isAllowed = (input: InputObject) => outcomes.get(input)?.allowed === true;
  // A function returns all items that it was given, and reports its errors.
  if (isFunctionList(document))
    return editDocument(yaml, [...patchOf(document, outcomes), ...resultsOperation(document, messages)]);
  if (objects.length > 0 && !objects.some(isAllowed)) return '';
  // JSON has no comments to keep, and the output format is YAML.
  if (isJsonText(yaml.text)) return printObjects(objects.flatMap((input) => outcomes.get(input) ?? []));
  // From the last object to the first, so that removing an item does not change the paths of the others.
  const patch = objects.toReversed().flatMap((input) => {
    const outcome = outcomes.get(input);
    return patchAt(input.at, outcome?.allowed === true ? outcome.patch : [{ op: 'remove', path: '' }]);
  });
  return editDocument(yaml, patch);
}

function isJsonText(text: string): boolean {
  return /^\s*[{[]/.test(text);
}

function printObjects(outcomes: readonly ManifestOutcome[]): string {
  const objects = outcomes.filter(({ allowed }) => allowed).map(({ object }) => object);
  return objects.map((object) => `---\n${toYaml(object)}`).join('');
}

function joinFiles(before: string, next: string): string {
  if (before === '' || next === '') return before + next;
  const ended = before.endsWith('\n') ? before : `${before}\n`;
  return /^(?:#[^\n]*\n|\s*\n)*---/.test(next) ? ended + next : `${ended}---\n${next}`;
}
