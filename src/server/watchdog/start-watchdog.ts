import { Worker } from 'node:worker_threads';
import type { AnswerMonitoring } from '../metrics/start-metrics.ts';
import type { AnswerPage } from '../page-port.ts';
import type { Progress } from './progress.ts';
import type { FromWatchdog, ToWatchdog, WatchdogData } from './watchdog-protocol.ts';

export interface WatchdogOptions extends Omit<WatchdogData, 'shared' | 'monitoring'> {
  readonly progress: Progress;
  /** The metrics port; absent if another process has it. */
  readonly monitoring?: {
    readonly port: number;
    readonly host?: string;
    readonly answer: AnswerMonitoring;
    /** Absent without the page. */
    readonly answerPage?: AnswerPage;
  };
}

export interface Watchdog {
  readonly metricsPort?: number;
  /** The injectors of another configuration: names that follow those known so far. */
  setInjectors(names: readonly string[]): void;
  /** Sends an event to all open pages. */
  sendEvent(text: string): void;
  stop(): void;
}

const BEAT_MS = 100;

/**
 * Starts a thread that ends the process, with a line in the log, if the event loop is blocked: one object must not stop the
 * reviews of all others. The thread also has the metrics port, so that `/healthz` is answered meanwhile.
 */
export async function startWatchdog(options: WatchdogOptions): Promise<Watchdog> {
  const { progress, injectors, blockedMs, monitoring } = options;
  const { port, host, answerPage } = monitoring ?? {};
  const workerData: WatchdogData = {
    shared: progress.shared,
    injectors,
    blockedMs,
    ...(port !== undefined && {
      monitoring: { port, ...(host !== undefined && { host }), hasPage: answerPage !== undefined },
    }),
  };
  // A separate module, which exists only when built: Node does not run TypeScript in threads.
  const thread = new Worker(new URL('./watchdog-thread.js', import.meta.url), {
    workerData,
    // It needs a few MiB, and the text of the metrics.
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 },
  });
  const started = await new Promise<{ readonly metricsPort?: number }>((resolve, reject) => {
    thread.on('message', (message: FromWatchdog) => {
      if ('started' in message) return resolve(message.started);
      if ('failed' in message) return reject(Object.assign(new Error(), message.failed));
      if ('pageRequestId' in message) {
        const { pageRequestId, method, path } = message;
        void answerPage?.(method, path).then((reply) => {
          thread.postMessage({ pageRequestId, reply } satisfies ToWatchdog);
        });
        return;
      }
      const { requestId, method, path } = message;
      void monitoring?.answer(method, path).then((reply) => {
        thread.postMessage({ requestId, reply } satisfies ToWatchdog);
      });
    });
    thread.once('error', reject);
  });
  // From now on, an error in the thread ends the process: without the thread, nothing would serve the metrics port.
  thread.removeAllListeners('error');
  const timer = setInterval(progress.beat, BEAT_MS).unref();
  thread.unref();
  return {
    ...started,
    setInjectors(names) {
      thread.postMessage({ injectors: names } satisfies ToWatchdog);
      progress.setInjectors(names);
    },
    sendEvent: (event) => thread.postMessage({ event } satisfies ToWatchdog),
    stop() {
      clearInterval(timer);
      void thread.terminate();
    },
  };
}
