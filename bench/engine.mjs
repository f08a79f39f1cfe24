import { graft } from '../dist/graft/graft.js';
import { shapeOf } from '../dist/graft/shape-of.js';

const shape = shapeOf('v1', 'Pod');
const overlay = {
  metadata: { annotations: { 'injected-by': 'my-webhook' } },
  spec: { containers: [{ name: 'container-0', env: [{ name: 'REGION', value: 'eu' }] }] },
};

/** The engine alone: cost must follow the overlay. Returns missed targets. */
export async function engineTable() {
  console.log('\ngraft of one annotation and one env entry, µs by containers in the Pod');
  const costs = [1, 10, 100, 1000].map((containers) => ({ containers, cost: costOf(containers) }));
  for (const { containers, cost } of costs)
    console.log(`${String(containers).padStart(6)}  ${cost.toFixed(2)}`);
  const [one, , , thousand] = costs;
  // A thousand times the object: only finding an item by its name may take longer.
  return thousand.cost > 20 * one.cost
    ? [`graft costs ${(thousand.cost / one.cost).toFixed(0)} times as much`]
    : [];
}

function costOf(containers) {
  const env = Array.from({ length: 10 }, (_, index) => ({ name: `VARIABLE_${index}`, value: 'x' }));
  const pod = {
    metadata: { name: 'web', annotations: {} },
    spec: {
      containers: Array.from({ length: containers }, (_, index) => ({
        name: `container-${index}`,
        image: 'i:1',
        env,
      })),
    },
  };
  const runs = 20_000;
  for (let run = 0; run < runs; run++) graft(pod, overlay, shape);
  const start = performance.now();
  for (let run = 0; run < runs; run++) graft(pod, overlay, shape);
  return ((performance.now() - start) * 1000) / runs;
}
