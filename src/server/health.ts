import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendText, type TextReply } from './http-replies.ts';

export interface Health {
  /** Why the server is not ready; empty if it is. */
  readonly notReady: () => readonly string[];
  /** Problems that do not prevent it from answering; shown with readiness. */
  readonly problems?: () => readonly string[];
}

/** Answers `/healthz` and `/readyz`; returns false for any other path. */
export function answerHealth(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  health: Health,
): boolean {
  const reply = healthReply(request.method, path, health);
  if (reply === undefined) return false;
  sendText(response, reply.status, reply.text);
  return true;
}

export function healthReply(
  method: string | undefined,
  path: string,
  { notReady, problems }: Health,
): TextReply | undefined {
  if (path !== '/healthz' && path !== '/readyz') return undefined;
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, text: `${path} takes GET` };
  const reasons = path === '/healthz' ? [] : notReady();
  const details = path === '/healthz' ? [] : (problems?.() ?? []);
  if (reasons.length > 0) return { status: 503, text: reasons.join('\n') };
  return { status: 200, text: ['ok', ...details].join('\n') };
}
