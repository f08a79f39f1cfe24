import { explainTable } from './explain-table.ts';
import { type InputOptions, type InputRun, runInput } from './run-input.ts';

export interface ExplainOptions extends InputOptions {
  readonly output: 'table' | 'json';
}

/** Says for each object what every injector did to it, or why it did nothing. */
export async function explain(options: ExplainOptions): Promise<void> {
  const run = await runInput(options);
  process.stdout.write(
    options.output === 'json' ? explainJson(run) : explainTable(run, process.stdout.isTTY),
  );
}

/** The trace, as it is. */
function explainJson({ outcomes }: InputRun): string {
  const traces = [...outcomes].map(([{ object, place }, { parts }]) => {
    const { name, generateName, namespace } = object.metadata;
    const resource = { apiVersion: object.apiVersion, kind: object.kind, namespace, name, generateName };
    return {
      resource,
      place,
      parts: parts.map(({ kind, path, outcome }) => ({
        kind,
        path,
        allowed: outcome.allowed,
        ...(outcome.allowed ? { warnings: outcome.warnings } : { reason: outcome.reason }),
        trace: outcome.trace,
      })),
    };
  });
  return `${JSON.stringify(traces, null, 2)}\n`;
}
