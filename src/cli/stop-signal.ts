import cluster from 'node:cluster';

/**
 * Resolves at the first SIGTERM or SIGINT. A second one does not wait: whoever sends it has lost patience. A worker leaves
 * that to its primary, which passes on what a terminal has sent to both of them.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    const stop = () => {
      if (stopping && cluster.isPrimary) process.exit(1);
      stopping = true;
      resolve();
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}
