import { parentPort, workerData } from 'node:worker_threads';
import { reviewView } from '../page/review-view.ts';
import type { ViewData } from './make-view.ts';

// Runs in a thread of its own, started by make-view.ts.

const { decision, stages } = workerData as ViewData;
parentPort?.postMessage(reviewView(decision, stages));
