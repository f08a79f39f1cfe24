import cluster from 'node:cluster';

/**
 * Resolves at the first SIGTERM or SIGINT. A second one ends the process at once, except in a worker: a terminal signals it as
 * well as its primary, which ends it.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = () => {
      if (isStopping && cluster.isPrimary) process.exit(1);
      isStopping = true;
      resolve();
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}
