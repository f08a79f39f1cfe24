import type { Health } from '../health.ts';

/** The health of a worker. The primary reports it for all of them. */
export interface WorkerHealth {
  readonly notReady: readonly string[];
  readonly problems: readonly string[];
}

const LOOK_MS = 1_000;

/** Sends the health of this worker to the primary whenever it changes; returns a function that stops it. */
export function shareHealth({ notReady, problems }: Health): () => void {
  let known = '';
  const share = () => {
    const health: WorkerHealth = { notReady: notReady(), problems: problems?.() ?? [] };
    const text = JSON.stringify(health);
    if (text === known || !process.connected) return;
    known = text;
    process.send?.({ health });
  };
  share();
  const timer = setInterval(share, LOOK_MS).unref();
  return () => clearInterval(timer);
}

export function healthIn(message: unknown): WorkerHealth | undefined {
  return (message as { health?: WorkerHealth } | null)?.health;
}
