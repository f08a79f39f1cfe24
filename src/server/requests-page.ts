import { answerPage } from '../page/answer-page.ts';
import { bytesOf, type RecordedDecision } from '../page/decision.ts';
import { eventText } from '../page/event-streams.ts';
import { textReply } from '../page/page-reply.ts';
import { createRequestLog } from '../page/request-log.ts';
import type { PageState } from '../page/view.ts';
import { makeView } from './make-view.ts';
import type { AnswerPage } from './page-port.ts';

/** The page of a server in production: what it decided lately. */
export interface RequestsPage {
  keep(decision: RecordedDecision): void;
  readonly answer: AnswerPage;
  /** Calls back with an event for every decision. */
  follow(send: (event: string) => void): void;
}

/** A Pod and its review take some 20 KiB, so that all 500 fit; the largest objects take 7 MiB. */
const LIMITS = { requests: 500, bytes: 32 * 1024 * 1024 };

export function createRequestsPage(version: string): RequestsPage {
  const requests = createRequestLog(LIMITS);
  const state = (): PageState => ({ mode: 'requests', version, samples: [] });
  return {
    keep(decision) {
      requests.add({
        item: decision.item,
        bytes: bytesOf(decision),
        view: () => makeView(decision),
      });
    },
    answer: (method, path) =>
      answerPage(method, path, { state, requests }).catch((error: unknown) =>
        textReply(500, error instanceof Error ? error.message : String(error)),
      ),
    follow: (send) => {
      requests.follow((item) => send(eventText('request', item)));
    },
  };
}
