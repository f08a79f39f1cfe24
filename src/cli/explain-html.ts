import { manifestView } from '../page/manifest-view.ts';
import { runDocument } from '../page/run-document.ts';
import { version } from '../version.ts';
import { nameOf } from './message.ts';
import type { InputObject } from './read-input.ts';
import { type InputOptions, type InputRun, type Outcomes, problemText } from './run-input.ts';

/** The runs as one page, to attach to a pull request. */
export function renderHtml(entries: Outcomes, { pipeline, files }: InputRun, options: InputOptions): string {
  const texts = textsOf(files);
  const time = new Date().toISOString();
  const views = entries.map(([input, outcome], index) => {
    const { kind, metadata } = input.object;
    const text = texts.get(input);
    return manifestView({
      request: {
        uid: String(index + 1),
        time,
        operation: options.operation,
        kind,
        namespace: metadata.namespace ?? options.namespace,
        name: metadata.name ?? `${metadata.generateName ?? ''}*`,
        user: options.user,
        dryRun: true,
        milliseconds: 0,
      },
      sent: input.object,
      ...(text !== undefined && { text }),
      outcome,
      stages: pipeline.stages,
      problems: outcome.parts.flatMap(({ path, problems }) =>
        problems.map((each) => path + problemText(each)),
      ),
    });
  });
  const [first] = entries;
  const title =
    entries.length === 1 && first !== undefined ? nameOf(first[0].object) : `${entries.length} objects`;
  return runDocument(views, version(), `${title}, explained by Podgraft`);
}

/** The texts of objects that are a whole document; items of a List are printed again. */
function textsOf(files: InputRun['files']): ReadonlyMap<InputObject, string> {
  const documents = files.flatMap((file) => file.documents);
  return new Map(
    documents.flatMap(({ yaml, objects }) =>
      objects
        .filter(({ at }) => at === '')
        .map((object) => [object, yaml.text.replace(/^---[ \t]*\r?\n/, '')] as const),
    ),
  );
}
