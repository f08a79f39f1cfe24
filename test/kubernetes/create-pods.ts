import type { Client } from './client.ts';
import { nginxPod, type Pod } from './pods.ts';

/** Creates Pods at full speed with several clients until `isEnough`. Returns the errors and the duration of each request. */
export async function createPods(
  client: Client,
  namespace: string,
  clients: number,
  isEnough: (created: number) => boolean,
) {
  const failures: unknown[] = [];
  const uninjected: string[] = [];
  const milliseconds: number[] = [];
  let created = 0;
  const work = Array.from({ length: clients }, async () => {
    while (!isEnough(created)) {
      const pod = nginxPod(`pod-${created++}`);
      const start = performance.now();
      const { status, body } = await client.request<Pod>('POST', `/api/v1/namespaces/${namespace}/pods`, pod);
      milliseconds.push(performance.now() - start);
      if (status !== 201) failures.push(body);
      else if (body.metadata.annotations?.['injected-by'] !== 'my-webhook')
        uninjected.push(body.metadata.name);
    }
  });
  await Promise.all(work);
  return { created, failures, uninjected, milliseconds };
}
