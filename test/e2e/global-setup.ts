import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { imageArchives, references } from '../../tools/e2e/images.mjs';
import { nodeRuntime } from '../../tools/e2e/node-runtime.mjs';
import { imageArchive, isImageCurrent } from '../../tools/image/archive.mjs';
import type {} from '../kubernetes/shared-control-plane.ts';
import { missingRequirements } from './node/requirements.ts';
import { startNode } from './node/start-node.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Starts the node that all test files share. What it needs is built if it is not in the cache. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const missing = missingRequirements();
  // Not skipped: a suite that runs nothing must not appear as passed.
  if (missing.length > 0) return give(`Cannot run a node on this machine: it lacks ${missing.join('; ')}`);
  run('e2e:binaries');
  if (!isImageCurrent()) run('image');
  const archives = await imageArchives();
  const node = await startNode({
    runtime: await nodeRuntime(),
    images: [...archives, imageArchive],
    sandboxImage: references.busybox,
  });
  const { url, ca, token, kubeconfig } = node;
  project.provide('controlPlane', { url, ca, token, kubeconfig });
  return async () => {
    const logs = process.env.E2E_LOGS;
    if (logs !== undefined)
      cpSync(node.folder, join(logs), {
        recursive: true,
        filter: (path) => path === node.folder || path.endsWith('.log'),
      });
    await node.stop();
  };
}

function run(script: string): void {
  if (spawnSync('npm', ['run', '--silent', script], { cwd: root, stdio: 'inherit' }).status !== 0)
    give(`"npm run ${script}" failed`);
}

/** Not thrown, because the runner would add a stack trace to a one-line message. */
function give(message: string): never {
  console.error(`error: ${message}`);
  process.exit(1);
}
