import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { filesView } from '../dist/cluster/views/files-view.js';
import { parseManifests } from '../dist/files/read-manifests.js';
import { istio } from '../dist/injectors/istio/istio.js';
import { NO_FILES } from '../dist/sdk/file-view.js';

const PODS = 10_000;
const AT_MOST = 4;
const row = new URL('rows/istio/', import.meta.url);

/**
 * The istio injector alone, for Pods of one workload and for Pods of a new workload each, for which no cached result fits. Returns
 * missed targets.
 */
export function newWorkloadsTable() {
  const review = JSON.parse(readFileSync(new URL('review.json', row), 'utf8'));
  const inject = injecting(review);
  const { object } = review.request;
  const repeated = new Array(PODS).fill(JSON.stringify(object));
  const different = repeated.map((_, index) => JSON.stringify(renamed(object, index)));
  console.log('\nistio: injecting one Pod, relative to JSON.parse of the result');
  report('Pods of one workload', repeated, inject);
  const ratio = report('Pods of new workloads', different, inject);
  return ratio > AT_MOST ? [`istio: a Pod of a new workload costs ${ratio.toFixed(1)} × JSON.parse`] : [];
}

function injecting(review) {
  const makeCluster = fileURLToPath(new URL('make-cluster.mjs', row));
  const objects = execFileSync(process.execPath, [makeCluster], { encoding: 'utf8' });
  const cluster = filesView(parseManifests(objects, 'cluster'));
  const config = istio.config({ demonstration: true });
  return (object) => {
    const verdict = istio.inject(object, { request: review.request, cluster, files: NO_FILES, config });
    if (!('target' in verdict)) throw new Error(JSON.stringify(verdict));
    return verdict;
  };
}

/** Parses each Pod first, as the server does. Both are timed in turn, so that other load affects both. */
function report(title, pods, inject) {
  const times = { injecting: [], parsing: [] };
  for (const text of pods) {
    const object = JSON.parse(text);
    const injected = timed(() => inject(object), times.injecting);
    const result = JSON.stringify(injected.target);
    timed(() => JSON.parse(result), times.parsing);
  }
  const [injecting, parsing] = [median(times.injecting), median(times.parsing)];
  const ratio = injecting / parsing;
  console.log(
    `${title.padEnd(30)} ${injecting.toFixed(0)} µs / ${parsing.toFixed(0)} µs = ${ratio.toFixed(1)}`,
  );
  return ratio;
}

function timed(run, times) {
  const start = performance.now();
  const result = run();
  times.push((performance.now() - start) * 1000);
  return result;
}

/** Of the second half; the first is the warm-up. */
function median(times) {
  const warm = times.slice(times.length / 2).sort((one, other) => one - other);
  return warm[warm.length / 2];
}

/** With all differences between Pods of two workloads: name, hash, container, image, port, label and annotation. */
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
        name: `${container.name}-${index}`,
        image: `${container.image}-${index}`,
        ports: container.ports?.map((port) => ({
          ...port,
          containerPort: port.containerPort + (index % 977),
        })),
      })),
    },
  };
}
