import { Worker } from 'node:worker_threads';
import type { RecordedDecision } from '../page/decision.ts';
import type { RunView } from '../page/view.ts';

let last: Promise<unknown> = Promise.resolve();

/**
 * Makes the view of a decision in a separate thread: printing a large object as YAML takes seconds, in which no review would be
 * answered. One at a time.
 */
export function makeView(decision: RecordedDecision): Promise<RunView> {
  const view = last.then(() => run(decision));
  last = view.catch(() => {});
  return view;
}

function run(workerData: RecordedDecision): Promise<RunView> {
  return new Promise((resolve, reject) => {
    // A separate module, which exists only when built: Node does not run TypeScript in threads.
    const thread = new Worker(new URL('./view-thread.js', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('Cannot show the decision: its thread ended')));
  });
}
