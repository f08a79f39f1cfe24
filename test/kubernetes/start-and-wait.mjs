// For lifetime.test.ts: starts a control plane, prints its address and waits to be killed.
import { dirname } from 'node:path';
import { createJiti } from 'jiti';

const { startControlPlane } = await createJiti(import.meta.url).import('./control-plane.ts');
const plane = await startControlPlane({ controllers: false });
console.log(JSON.stringify({ pids: plane.pids(), folder: dirname(plane.kubeconfig) }));
setInterval(() => {}, 60_000);
