import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/page/**/*.test.ts'],
    globalSetup: 'test/build-once.ts',
    // One browser at a time: they are large.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
