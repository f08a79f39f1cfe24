import type { KubeClient } from '../cluster/client/client.ts';
import type { ObjectRef } from '../kube/resource.ts';
import type { Clock } from './clock.ts';

const TIMEOUT_SECONDS = 300;
const RETRY_MS = 10_000;

/**
 * Calls back whenever one of these objects may have changed, until the signal says stop. Only a way to notice sooner: who
 * relies on it looks by himself from time to time, so a watch that fails is tried again and needs no further care.
 */
export function watchChanges(
  client: Pick<KubeClient, 'watch'>,
  targets: readonly ObjectRef[],
  clock: Clock,
  signal: AbortSignal,
  onChange: () => void,
): void {
  for (const target of targets) void watchOne(client, target, clock, signal, onChange);
}

async function watchOne(
  client: Pick<KubeClient, 'watch'>,
  { ref, namespace, name }: ObjectRef,
  clock: Clock,
  signal: AbortSignal,
  onChange: () => void,
): Promise<void> {
  const options = {
    ...(namespace !== undefined && { namespace }),
    // A role that is limited to this name allows just this selector.
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
      // Nothing is lost: see above.
    }
    await clock.sleep(RETRY_MS, signal);
  }
}
