// For lifetime.test.ts: a process that starts a control plane, says where, and waits to be ended.
import { dirname } from 'node:path';
import { createJiti } from 'jiti';

const { startControlPlane } = await createJiti(import.meta.url).import('./control-plane.ts');
const plane = await startControlPlane({ controllers: false });
console.log(JSON.stringify({ pids: plane.pids(), folder: dirname(plane.kubeconfig) }));
setInterval(() => {}, 60_000);
