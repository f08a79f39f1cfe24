import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.ts';
import { nginxPod, type Pod } from './pods.ts';

export interface Load {
  /** Creates the Pod of each request. Default: nginx. */
  readonly pod?: (name: string) => object;
  /** How long each client waits after a request. Default: not at all. */
  readonly pauseMs?: number;
}

/** Creates Pods with several clients until `isEnough`. Returns the errors and the duration of each request. */
export async function createPods(
  client: Client,
  namespace: string,
  clients: number,
  isEnough: (created: number) => boolean,
  { pod = nginxPod, pauseMs = 0 }: Load = {},
) {
  const failures: unknown[] = [];
  const uninjected: string[] = [];
  const milliseconds: number[] = [];
  let created = 0;
  const work = Array.from({ length: clients }, async () => {
    while (!isEnough(created)) {
      const object = pod(`pod-${created++}`);
      const start = performance.now();
      const { status, body } = await client.request<Pod>(
        'POST',
        `/api/v1/namespaces/${namespace}/pods`,
        object,
      );
      milliseconds.push(performance.now() - start);
      if (status !== 201) failures.push(body);
      else if (body.metadata.annotations?.['injected-by'] !== 'my-webhook')
        uninjected.push(body.metadata.name);
      if (pauseMs > 0) await sleep(pauseMs);
    }
  });
  await Promise.all(work);
  return { created, failures, uninjected, milliseconds };
}
