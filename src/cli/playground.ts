import { fileURLToPath } from 'node:url';
import { createRequestLog, requestItem } from '../page/request-log.ts';
import type { PageState, RunAnswer, RunRequest } from '../page/view.ts';
import { runText } from '../playground/run-text.ts';
import { samplesFor } from '../playground/samples.ts';
import { startPlayground } from '../playground/start-playground.ts';
import { openWorkspace } from '../playground/workspace.ts';
import { createCaller } from '../server/make-calls.ts';
import { version } from '../version.ts';

export interface PlaygroundOptions {
  /** Default: the quickstart. */
  readonly config?: string;
  readonly cluster: readonly string[];
  readonly webhook: readonly string[];
  readonly port: number;
}

/** Part of the package, so that a first look needs no files. */
const QUICKSTART = fileURLToPath(new URL('../../examples/quickstart/podgraft.yaml', import.meta.url));

const CALL_MS = 5_000;

/** Serves the page until SIGTERM or SIGINT. */
export async function playground(options: PlaygroundOptions): Promise<void> {
  const { config = QUICKSTART, cluster, webhook, port } = options;
  const workspace = await openWorkspace({ config, cluster, webhook }, () => page.changed());
  const requests = createRequestLog({ requests: 500, bytes: 64 * 1024 * 1024 });
  const makeCalls = createCaller();
  const page = await startPlayground({ port, state, requests, run });
  process.stdout.write(`The playground is at ${page.url}\n`);
  await new Promise((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  page.stop();
  workspace.stop();

  function state(): PageState {
    const { pipeline } = workspace.current().config;
    const error = workspace.error();
    const injectors = pipeline.stages.map(({ name, injector }) => ({
      name,
      use: injector.name,
      summary: injector.summary,
    }));
    return {
      mode: 'playground',
      version: version(),
      configuration: { file: config, injectors, ...(error !== undefined && { error }) },
      samples: samplesFor(pipeline),
    };
  }

  async function run(request: RunRequest): Promise<RunAnswer> {
    const answer = await runText(request, {
      snapshot: workspace.current(),
      call: (calls) => makeCalls(calls, CALL_MS),
    });
    if ('runs' in answer) for (const view of answer.runs) remember(view);
    return answer;
  }

  function remember(view: Extract<RunAnswer, { runs: unknown }>['runs'][number]): void {
    const bytes = 2 * JSON.stringify(view).length;
    requests.add({ item: requestItem(view), bytes, view: () => view });
  }
}
