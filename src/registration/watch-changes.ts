import type { KubeClient } from '../cluster/client/client.ts';
import type { Clock } from '../cluster/clock.ts';
import type { ObjectRef } from '../sdk/reads.ts';

const TIMEOUT_SECONDS = 300;
const RETRY_MS = 10_000;

/**
 * Calls `onChange` whenever the object may have changed, until the signal fires. This only shortens the time to the next poll, so a
 * watch that fails is repeated without further care.
 */
export async function watchChanges(
  client: Pick<KubeClient, 'watch'>,
  { ref, namespace, name }: ObjectRef,
  clock: Clock,
  signal: AbortSignal,
  onChange: () => void,
): Promise<void> {
  const options = {
    ...(namespace !== undefined && { namespace }),
    // A role that is limited to this name allows only this selector.
    fieldSelector: `metadata.name=${name}`,
    timeoutSeconds: TIMEOUT_SECONDS,
    idleMs: 2 * TIMEOUT_SECONDS * 1000,
    signal,
  };
  while (!signal.aborted) {
    try {
      for await (const { type } of client.watch(ref, options)) {
        if (type !== 'BOOKMARK') onChange();
      }
    } catch {
      // The next poll finds every change.
    }
    await clock.sleep(RETRY_MS, signal);
  }
}
