import type { IncomingMessage, ServerResponse } from 'node:http';
import { createEventStreams, type EventStreams } from '../page/event-streams.ts';
import { foreignRequest, type PageReply, textReply } from '../page/page-reply.ts';
import { sendPage } from '../page/send-page.ts';

/** The page on the metrics port. */
export interface PagePort {
  readonly events: Pick<EventStreams, 'send'>;
  /** Whether a path is one of the page. */
  has(path: string): boolean;
  handle(request: IncomingMessage, response: ServerResponse, path: string): void;
}

/** Answers a path of the page, which begins with `/`. Never rejects. */
export type AnswerPage = (method: string | undefined, path: string) => Promise<PageReply>;

const PREFIX = '/page';

/**
 * Serves the page below `/page/`, to callers on loopback only: `kubectl port-forward` arrives there, and other Pods, which reach the
 * port for metrics, do not.
 */
export function createPagePort(answer: AnswerPage): PagePort {
  const events = createEventStreams();
  return {
    events,
    has: (path) => path === PREFIX || path.startsWith(`${PREFIX}/`),
    handle(request, response, path) {
      const refusal = refusalOf(request);
      if (refusal !== undefined) return sendPage(response, textReply(403, refusal));
      if (path === PREFIX) {
        return sendPage(response, { ...textReply(308, 'see /page/'), headers: { Location: 'page/' } });
      }
      const own = path.slice(PREFIX.length);
      if (own === '/api/events' && request.method === 'GET') {
        if (!events.open(response)) sendPage(response, textReply(503, 'too many open pages'));
        return;
      }
      void answer(request.method, own).then((reply) => sendPage(response, reply));
    },
  };
}

function refusalOf({ socket, headers }: IncomingMessage): string | undefined {
  const address = socket.remoteAddress ?? '';
  const isLocal = address === '::1' || /^(::ffff:)?127\./.test(address);
  return isLocal ? foreignRequest(headers) : 'the page is only for this Pod: use kubectl port-forward';
}
