import type { Health } from './plain-answers.ts';

/** What a worker tells its primary, from when it listens: whoever asks the primary asks about all of them. */
export interface WorkerHealth {
  readonly notReady: readonly string[];
  readonly problems: readonly string[];
}

const LOOK_MS = 1_000;

/** Tells the primary how this worker is, now and whenever that changes; returns how to stop. */
export function shareHealth({ notReady, problems }: Health): () => void {
  let known = '';
  const tell = () => {
    const health: WorkerHealth = { notReady: notReady(), problems: problems?.() ?? [] };
    const text = JSON.stringify(health);
    if (text === known || !process.connected) return;
    known = text;
    process.send?.({ health });
  };
  tell();
  const timer = setInterval(tell, LOOK_MS).unref();
  return () => clearInterval(timer);
}

export function healthIn(message: unknown): WorkerHealth | undefined {
  return (message as { health?: WorkerHealth } | null)?.health;
}
