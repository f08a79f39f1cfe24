import { suggestion } from '../closest.ts';
import type { ManifestPart } from '../pipeline/run-manifest.ts';
import type { Step } from '../pipeline/trace.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { renderTable } from './explain-table.ts';
import { type InputOptions, type InputRun, type Outcomes, runInput } from './run-input.ts';

export interface ExplainOptions extends InputOptions {
  readonly output: 'table' | 'json' | 'html';
  /** Only objects and injectors that change something, deny or fail. */
  readonly changed?: boolean;
  /** Only this injector. */
  readonly injector?: string;
}

/** Prints what each injector does to each object, or why it does nothing. */
export async function explain(options: ExplainOptions): Promise<void> {
  const { changed = false, injector, output, filename = [], resources = [] } = options;
  if (filename.length + resources.length === 0)
    throw new PodgraftError(
      'USAGE',
      'Nothing to explain: use -f FILE, or name an object of a cluster, such as pod/web',
    );
  const run = await runInput(options);
  if (injector !== undefined) checkInjector(injector, run);
  const isShown = (step: Step) =>
    (injector === undefined || step.injector === injector) && (!changed || isNotable(step));
  const entries = [...run.outcomes].filter(
    ([, { parts }]) => !changed || parts.some((part) => part.outcome.trace.some(isShown)),
  );
  if (output === 'html') {
    const { renderHtml } = await import('./explain-html.ts');
    process.stdout.write(renderHtml(entries, run, options));
    return;
  }
  const render = output === 'json' ? renderJson : renderTable;
  process.stdout.write(render(entries, isShown, process.stdout.isTTY));
}

function isNotable(step: Step): boolean {
  return step.decision === 'grafted' ? step.patch.length > 0 : ['denied', 'failed'].includes(step.decision);
}

function checkInjector(name: string, { pipeline }: InputRun): void {
  const names = pipeline.stages.map((stage) => stage.name);
  if (names.includes(name)) return;
  throw new PodgraftError('USAGE', `Unknown injector "${name}", ${suggestion(name, names)}`);
}

function renderJson(entries: Outcomes, isShown: (step: Step) => boolean): string {
  const objects = entries.map(([{ object, place }, { allowed, patch, parts }]) => {
    const { apiVersion, kind } = object;
    const { name, generateName, namespace } = object.metadata;
    return {
      resource: { apiVersion, kind, namespace, name, generateName },
      place,
      allowed,
      patch,
      parts: parts.map((part) => partJson(part, isShown)),
    };
  });
  return `${JSON.stringify(objects, null, 2)}\n`;
}

function partJson({ kind, path, outcome, problems }: ManifestPart, isShown: (step: Step) => boolean): object {
  return {
    kind,
    path,
    allowed: outcome.allowed,
    ...(outcome.allowed
      ? { warnings: outcome.warnings }
      : { reason: outcome.reason, injector: outcome.injector }),
    problems,
    // The reason of a failed step has the message of its error.
    trace: outcome.trace.filter(isShown).map((step) => ({ ...step, error: undefined })),
  };
}
