import { parentPort, workerData } from 'node:worker_threads';
import type { RecordedDecision } from '../page/decision.ts';
import { reviewView } from '../page/review-view.ts';

// Runs in a separate thread, started by make-view.ts.

parentPort?.postMessage(reviewView(workerData as RecordedDecision));
