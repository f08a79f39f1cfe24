import { accepted, type Client } from '../kubernetes/client.ts';
import { createPods } from '../kubernetes/create-pods.ts';
import { nginxPod } from '../kubernetes/pods.ts';

/** Creates about 40 Pods a second while `disturb` runs and for a moment after. No node runs them. */
export async function underLoad(client: Client, namespace: string, disturb: () => Promise<void>) {
  let isOver = false;
  const load = createPods(client, namespace, 4, () => isOver, { pod: unscheduled, pauseMs: 80 });
  try {
    await Promise.all([
      load,
      // Its after-effects, such as a closed connection, would show in the next requests.
      disturb()
        .then(() => new Promise((resolve) => setTimeout(resolve, 1_500)))
        .finally(() => {
          isOver = true;
        }),
    ]);
  } finally {
    await load;
    const waiting = 'fieldSelector=spec.schedulerName=nobody&gracePeriodSeconds=0';
    accepted(await client.request('DELETE', `/api/v1/namespaces/${namespace}/pods?${waiting}`));
  }
  return load;
}

function unscheduled(name: string) {
  const { spec, ...pod } = nginxPod(name);
  return { ...pod, spec: { ...spec, schedulerName: 'nobody' } };
}
