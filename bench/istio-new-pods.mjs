// What injecting Pods of ever other workloads costs: nothing of an earlier result fits, but templates are parsed and all is warm.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { filesView } from '../dist/cluster/files-view.js';
import { parseManifests } from '../dist/cluster/read-manifests.js';
import { istio } from '../dist/injectors/istio/istio.js';
import { NO_FILES } from '../dist/sdk/file-view.js';

const PODS = 10_000;
const row = new URL('rows/istio/', import.meta.url);
const objects = execFileSync(process.execPath, [fileURLToPath(new URL('make-cluster.mjs', row))], {
  encoding: 'utf8',
});
const cluster = filesView(parseManifests(objects, 'cluster'));
const review = JSON.parse(readFileSync(new URL('review.json', row), 'utf8'));
const config = istio.config({ demonstration: true });

const { object } = review.request;
const one = JSON.stringify(object);
const repeated = Array.from({ length: PODS }, () => one);
const different = Array.from({ length: PODS }, (_, index) => JSON.stringify(renamed(object, index)));

console.log('injecting one Pod, by the time that parsing the result as JSON takes');
report('Pods of one workload', repeated);
report('Pods of ever other workloads', different);

/** As in a server, where the request has just been read. Both by turns, so that what else the machine does meets both. */
function report(title, pods) {
  const times = { injecting: [], parsing: [] };
  for (const text of pods) {
    const request = { ...review.request, object: JSON.parse(text) };
    const injected = timed(() => inject(request), times.injecting);
    const result = JSON.stringify(injected.target);
    timed(() => JSON.parse(result), times.parsing);
  }
  const [injecting, parsing] = [median(times.injecting), median(times.parsing)];
  const ratio = (injecting / parsing).toFixed(1);
  console.log(`${title.padEnd(30)} ${injecting.toFixed(0)} µs / ${parsing.toFixed(0)} µs = ${ratio}`);
}

function timed(run, times) {
  const start = performance.now();
  const result = run();
  times.push((performance.now() - start) * 1000);
  return result;
}

/** Of the second half: the first warms up. */
function median(times) {
  const warm = times.slice(times.length / 2).sort((one, other) => one - other);
  return warm[warm.length / 2];
}

function inject(request) {
  const verdict = istio.inject(request.object, { request, cluster, files: NO_FILES, config });
  if (!('target' in verdict)) throw new Error(JSON.stringify(verdict));
  return verdict;
}

/** Another name, hash, image, port, label and annotation: all that the Pods of two workloads differ in. */
function renamed(pod, index) {
  const hash = `${(index * 2_654_435_761) % 4_294_967_296}`.padStart(10, '0');
  const { metadata, spec } = structuredClone(pod);
  const [owner] = metadata.ownerReferences;
  return {
    ...pod,
    metadata: {
      ...metadata,
      generateName: `work-${index}-${hash}-`,
      labels: { ...metadata.labels, app: `work-${index}`, 'pod-template-hash': hash },
      annotations: {
        ...metadata.annotations,
        'prometheus.io/port': String(9000 + (index % 50)),
        note: `${index}`,
      },
      ownerReferences: [{ ...owner, name: `work-${index}-${hash}` }],
    },
    spec: {
      ...spec,
      serviceAccountName: `account-${index}`,
      containers: spec.containers.map((container) => ({
        ...container,
        image: `${container.image}-${index}`,
        ports: container.ports?.map((port) => ({
          ...port,
          containerPort: port.containerPort + (index % 977),
        })),
      })),
    },
  };
}
