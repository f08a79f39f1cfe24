import { useEffect, useState } from 'preact/hooks';
import type { ConfigurationView, RunAnswer, RunRequest, RunView } from '../src/page/view.ts';
import type { Address } from './address.ts';
import { run } from './api.ts';

export interface RunState {
  /** The last good ones, while the text has errors. */
  readonly runs: readonly RunView[];
  readonly errors: readonly TextError[];
  readonly failure?: string;
  /** Whether the order of the file gives the same result; absent if it is the order in use. */
  readonly isSameInAnyOrder?: boolean;
}

export type TextError = Extract<RunAnswer, { errors: unknown }>['errors'][number];

/** The pause in typing after which the text is run. */
const PAUSE = 150;

/** Runs the text when it, the choice of injectors or the configuration changes. */
export function useRun(
  yaml: string,
  address: Address,
  configuration: ConfigurationView | undefined,
): RunState {
  const [state, setState] = useState<RunState>({ runs: [], errors: [] });
  const request = JSON.stringify({
    yaml,
    ...(isOperation(address.operation) && { operation: address.operation }),
    ...(address.off !== undefined && { off: address.off }),
    ...(address.order !== undefined && { order: address.order }),
  } satisfies RunRequest);
  // A new configuration may give another result.
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(
      () =>
        answer(JSON.parse(request), controller.signal).then(
          (next) => setState(({ runs }) => ({ runs, ...next })),
          (error: Error) => {
            if (!controller.signal.aborted)
              setState(({ runs }) => ({ runs, errors: [], failure: error.message }));
          },
        ),
      PAUSE,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [request, configuration]);
  return state;
}

function isOperation(text: string | undefined): text is NonNullable<RunRequest['operation']> {
  return text === 'CREATE' || text === 'UPDATE' || text === 'DELETE';
}

async function answer(
  { order, ...request }: RunRequest,
  signal: AbortSignal,
): Promise<Partial<RunState> & { errors: readonly TextError[] }> {
  if (order === undefined) return resultOf(await run(request, signal));
  const [given, other] = await Promise.all([run({ ...request, order }, signal), run(request, signal)]);
  const isSameInAnyOrder = 'runs' in given && 'runs' in other && outcome(given.runs) === outcome(other.runs);
  return { ...resultOf(given), ...('runs' in given && { isSameInAnyOrder }) };
}

function resultOf(given: RunAnswer) {
  return 'runs' in given ? { runs: given.runs, errors: [] } : { errors: given.errors };
}

function outcome(runs: readonly RunView[]): string {
  return JSON.stringify(runs.map(({ verdict, after }) => [verdict, after]));
}
