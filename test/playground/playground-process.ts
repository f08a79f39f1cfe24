import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { PageEvents, PageState, RunAnswer, RunRequest, RunView } from '../../src/page/view.ts';
import { MAIN } from '../podgraft-process.ts';

export interface PlaygroundProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** All its output. */
  readonly output: () => string;
  get<T>(path: string): Promise<T>;
  state(): Promise<PageState>;
  run(request: RunRequest): Promise<RunAnswer>;
  /** The view of a text with one object. */
  view(yaml: string, request?: Partial<RunRequest>): Promise<RunView>;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `podgraft playground` on a free port; resolves when it has printed its address. */
export async function startPlaygroundProcess(args: readonly string[] = []): Promise<PlaygroundProcess> {
  const child = spawn(process.execPath, [MAIN, 'playground', '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const [found] = /http:\/\/localhost:\d+\//.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`podgraft playground ended with ${code}: ${output}`)));
  });
  const get = async <T>(path: string) => (await (await fetch(url + path)).json()) as T;
  const run = async (request: RunRequest) => {
    const response = await postRun(url, JSON.stringify(request));
    return (await response.json()) as RunAnswer;
  };
  return {
    child,
    url,
    output: () => output,
    get,
    state: () => get('api/state'),
    run,
    async view(yaml, request = {}) {
      const answer = await run({ yaml, ...request });
      if ('errors' in answer || answer.runs[0] === undefined) throw new Error(JSON.stringify(answer));
      return answer.runs[0];
    },
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      child.kill(signal);
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
  };
}

export function postRun(url: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}api/run`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
}

export interface Listening {
  readonly events: { readonly name: keyof PageEvents; readonly data: PageEvents[keyof PageEvents] }[];
  stop(): void;
}

/** Collects server-sent events. Resolves when the stream is open. */
export async function listen(url: string): Promise<Listening> {
  const ending = new AbortController();
  const response = await fetch(url, { signal: ending.signal });
  const events: Listening['events'] = [];
  void (async () => {
    let text = '';
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString('utf8');
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? [];
        if (name !== undefined) events.push({ name: name as keyof PageEvents, data: JSON.parse(data ?? '') });
      }
    }
  })().catch(() => {});
  return { events, stop: () => ending.abort() };
}
