import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** `npm run test:kubernetes`: not part of `npm test`, because it needs the binaries of a real control plane. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/kubernetes/**/*.test.ts'],
    globalSetup: ['test/build-once.ts', 'test/kubernetes/global-setup.ts'],
    setupFiles: ['test/kubernetes/end-with-runner.ts'],
    pool: 'forks',
    // All files share one API server, and webhook configurations affect all of them.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
  },
});
