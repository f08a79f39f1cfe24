import { fileURLToPath } from 'node:url';
import { createRequestLog, requestItem } from '../page/request-log.ts';
import type { PageState, RunAnswer, RunRequest } from '../page/view.ts';
import type { Run } from '../playground/create-runner.ts';
import { samplesFor } from '../playground/samples.ts';
import { type Playground, startPlayground } from '../playground/start-playground.ts';
import { openWorkspace } from '../playground/workspace.ts';
import { version } from '../version.ts';
import { openBrowser } from './open-browser.ts';

export interface PlaygroundOptions {
  /** Default: the quickstart. */
  readonly config?: string;
  readonly cluster: readonly string[];
  readonly webhook: readonly string[];
  readonly port: number;
  readonly open?: true;
}

/** Part of the package, so that a first look needs no files. */
const QUICKSTART = fileURLToPath(new URL('../../examples/quickstart/podgraft.yaml', import.meta.url));

/** Serves the page until SIGTERM or SIGINT. */
export async function playground(options: PlaygroundOptions): Promise<void> {
  const { config = QUICKSTART, cluster, webhook, port, open = false } = options;
  let page: Playground | undefined;
  const workspace = await openWorkspace({ config, cluster, webhook }, () => page?.changed());
  const requests = createRequestLog({ requests: 500, bytes: 64 * 1024 * 1024 });
  page = await startPlayground({ port, state, requests, run });
  process.stdout.write(`The playground is at ${page.url}\n`);
  if (open) openBrowser(page.url);
  // The page does not wait for the model of the API server; the first run may.
  const runner = loadRunner();
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
    const answer = await (await runner)(request, workspace.current());
    for (const view of 'runs' in answer ? answer.runs : []) {
      requests.add({ item: requestItem(view), bytes: 2 * JSON.stringify(view).length, view: () => view });
    }
    return answer;
  }
}

/** How long an injector may wait for another service. */
const CALL_MS = 5_000;

async function loadRunner(): Promise<Run> {
  const { createRunner } = await import('../playground/create-runner.ts');
  const { createCaller } = await import('../server/make-calls.ts');
  const makeCalls = createCaller();
  return createRunner((calls) => makeCalls(calls, CALL_MS));
}
