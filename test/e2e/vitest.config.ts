import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** `npm run test:e2e`: a cluster with a real node, which needs a dedicated machine (root, namespaces, cgroups). */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: ['test/build-once.ts', 'test/e2e/global-setup.ts'],
    setupFiles: ['test/kubernetes/end-with-runner.ts'],
    pool: 'forks',
    // All files share one node, and webhook configurations affect all of them.
    fileParallelism: false,
    // Seconds each on an idle machine; what they wait for has its own limits.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    teardownTimeout: 30_000,
  },
});
