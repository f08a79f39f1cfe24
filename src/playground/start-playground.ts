import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerPage, type PageSource } from '../page/answer-page.ts';
import { createEventStreams, eventText } from '../page/event-streams.ts';
import { foreignRequest, jsonReply, type PageReply, textReply } from '../page/page-reply.ts';
import type { RequestLog } from '../page/request-log.ts';
import { sendPage } from '../page/send-page.ts';
import type { RunAnswer, RunRequest } from '../page/view.ts';
import { readRunRequest } from './read-run-request.ts';

export interface PlaygroundOptions extends PageSource {
  readonly port: number;
  readonly requests: RequestLog;
  readonly run: (request: RunRequest) => Promise<RunAnswer>;
}

export interface Playground {
  readonly url: string;
  /** The files have changed: every open page gets the new state. */
  changed(): void;
  stop(): void;
}

/** Serves the page on loopback. */
export async function startPlayground(options: PlaygroundOptions): Promise<Playground> {
  const events = createEventStreams();
  const unfollow = options.requests.follow((item) => events.send(eventText('request', item)));
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      sendPage(response, textReply(500, error instanceof Error ? error.message : String(error)));
    });
  });
  server.headersTimeout = 5_000;
  server.requestTimeout = 30_000;
  const port = await listen(server, options.port);
  return {
    url: `http://localhost:${port}/`,
    changed: () => events.send(eventText('state', options.state())),
    stop() {
      unfollow();
      events.stop();
      server.close();
      server.closeAllConnections();
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const foreign = foreignRequest(request.headers);
    if (foreign !== undefined) return sendPage(response, textReply(403, foreign));
    const path = (request.url ?? '/').replace(/[?#].*$/s, '');
    if (path === '/api/run') return sendPage(response, await answerRun(request));
    if (path !== '/api/events' || request.method !== 'GET') {
      return sendPage(response, await answerPage(request.method, path, options));
    }
    if (!events.open(response)) return sendPage(response, textReply(503, 'too many open pages'));
    response.write(eventText('state', options.state()));
  }

  async function answerRun(request: IncomingMessage): Promise<PageReply> {
    const read = await readRunRequest(request);
    return 'problem' in read ? read.problem : jsonReply(await options.run(read.run));
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
