import { readFileSync } from 'node:fs';

const PODS = 64;
const WORKLOADS = 16;

/**
 * Reviews of different Pods, as an API server sends them: without white space, each with its own uid and its own
 * name for the volume with the API server's token. Where the row names its workload, they belong to several.
 */
export function reviewsOf({ folder, workload, review = 'review.json' }) {
  const text = JSON.stringify(JSON.parse(readFileSync(`${folder}/${review}`, 'utf8')));
  const { uid } = JSON.parse(text).request;
  return Array.from({ length: PODS }, (_, index) => {
    const body = text
      .replaceAll(uid, crypto.randomUUID())
      .replaceAll(/kube-api-access-\w{5}/g, `kube-api-access-${(index + 36 ** 4).toString(36)}`);
    return workload ? body.replaceAll(workload, `${workload.replace(/\d+$/, '')}${index % WORKLOADS}`) : body;
  });
}
