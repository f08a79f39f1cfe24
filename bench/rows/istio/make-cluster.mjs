// Prints the cluster of this row: Istio's own injection ConfigMaps, and a node. They are not part of this repository; without
// them the built-in template is measured, which is much smaller.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const peers =
  process.env.PODGRAFT_PEERS ?? fileURLToPath(new URL('../../../../shared/peers', import.meta.url));
const files = ['configmap-istio-sidecar-injector.yaml', 'configmap-istio.yaml'].map(
  (file) => `${peers}/istio/_shared/${file}`,
);
console.log(
  'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop, labels: { istio-injection: enabled } }',
);
console.log(
  '---\napiVersion: v1\nkind: Node\nmetadata: { name: one }\nstatus: { nodeInfo: { kubeletVersion: v1.33.0 } }',
);
if (files.every((file) => existsSync(file))) {
  for (const file of files) console.log(`---\n${readFileSync(file, 'utf8')}`);
} else {
  console.error(
    "no ConfigMaps of Istio's (set PODGRAFT_PEERS to their folder): the built-in template is measured",
  );
}
