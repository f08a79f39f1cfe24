import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { findBinaries, MissingBinaries } from './binaries.ts';
import { startControlPlane } from './control-plane.ts';
import type {} from './shared-control-plane.ts';

/** Starts the control plane that all test files share, and builds its binaries if necessary. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  ensureBinaries();
  const plane = await startControlPlane();
  const { url, ca, token, kubeconfig } = plane;
  project.provide('controlPlane', { url, ca, token, kubeconfig });
  return plane.stop;
}

function ensureBinaries(): void {
  try {
    findBinaries();
  } catch (error) {
    if (!(error instanceof MissingBinaries)) throw error;
    if (error.source === 'cache' && hasGo() && buildBinaries()) return;
    // Not thrown, because the runner would add a stack trace to a one-line message.
    console.error(`error: ${error.message}`);
    process.exit(1);
  }
}

function hasGo(): boolean {
  return spawnSync('go', ['version']).status === 0;
}

function buildBinaries(): boolean {
  const script = fileURLToPath(new URL('../../tools/kubernetes/build-binaries.mjs', import.meta.url));
  return spawnSync(process.execPath, [script], { stdio: 'inherit' }).status === 0;
}
