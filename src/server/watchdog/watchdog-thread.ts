import { parentPort, workerData } from 'node:worker_threads';
import type { PageReply } from '../../page/page-reply.ts';
import type { TextReply } from '../http-replies.ts';
import { type AnswerMonitoring, listenForMonitoring } from '../metrics/start-metrics.ts';
import { createBlockedClock } from './blocked-clock.ts';
import { endBlockedProcess } from './end-blocked-process.ts';
import { readProgress } from './progress.ts';
import type { FromWatchdog, ToWatchdog, WatchdogData } from './watchdog-protocol.ts';

// Runs in a separate thread, started by start-watchdog.ts.

const LOOK_MS = 100;
/** Requests that the event loop should answer wait this long: the kubelet gives up after a second. */
const PATIENCE_MS = 500;

const { shared, blockedMs, monitoring, ...initial } = workerData as WatchdogData;
let { injectors } = initial;
const clock = createBlockedClock(LOOK_MS);
/** Requests on the metrics port that wait for the event loop. */
const waiting = new Map<number, (reply: TextReply) => void>();
const waitingPages = new Map<number, (reply: PageReply) => void>();
let lastRequestId = 0;
let isEnding = false;

const send = (message: FromWatchdog) => parentPort?.postMessage(message);
const page =
  monitoring?.hasPage === true ? (await import('../page-port.ts')).createPagePort(answerPage) : undefined;
parentPort?.on('message', (message: ToWatchdog) => {
  if ('injectors' in message) injectors = message.injectors;
  else if ('event' in message) page?.events.send(message.event);
  else if ('requestId' in message) settle(message.requestId, message.reply);
  else settlePage(message.pageRequestId, message.reply);
});

try {
  const { port, host } = monitoring ?? {};
  const metricsPort =
    port === undefined ? undefined : (await listenForMonitoring(port, host, answer, page)).port;
  setInterval(look, LOOK_MS);
  send({ started: metricsPort === undefined ? {} : { metricsPort } });
} catch (error) {
  const { message, code, syscall } = error as NodeJS.ErrnoException;
  send({ failed: { message, code, syscall } });
}

function look(): void {
  const { beats, ...work } = readProgress(shared, injectors);
  const blocked = clock.look(beats);
  if (blocked >= PATIENCE_MS) {
    for (const requestId of waiting.keys()) settle(requestId, blockedReply());
    const { status, text } = blockedReply();
    const reply = { status, contentType: 'text/plain; charset=utf-8', body: text };
    for (const requestId of waitingPages.keys()) settlePage(requestId, reply);
  }
  if (blockedMs === 0 || blocked < blockedMs || isEnding) return;
  isEnding = true;
  endBlockedProcess({ ...work, seconds: blocked / 1000 });
}

function answer(method: string | undefined, path: string): ReturnType<AnswerMonitoring> {
  // Half of the limit, so that probes see it before the process ends. One failed probe does no harm.
  const isBlocked = blockedMs > 0 && clock.blocked() >= blockedMs / 2;
  if (path === '/healthz') {
    return Promise.resolve(isBlocked ? blockedReply() : { status: 200, text: 'ok' });
  }
  return new Promise((resolve) => {
    waiting.set(++lastRequestId, resolve);
    send({ requestId: lastRequestId, method, path });
  });
}

function answerPage(method: string | undefined, path: string): Promise<PageReply> {
  return new Promise((resolve) => {
    waitingPages.set(++lastRequestId, resolve);
    send({ pageRequestId: lastRequestId, method, path });
  });
}

function settlePage(requestId: number, reply: PageReply): void {
  waitingPages.get(requestId)?.(reply);
  waitingPages.delete(requestId);
}

function settle(requestId: number, reply: TextReply): void {
  waiting.get(requestId)?.(reply);
  waiting.delete(requestId);
}

function blockedReply(): TextReply {
  return { status: 503, text: `the event loop is blocked: ${(clock.blocked() / 1000).toFixed(1)} s` };
}
