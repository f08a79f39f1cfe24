import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/fuzz/**/*.test.ts'],
    // A million objects take hours.
    testTimeout: 24 * 60 * 60 * 1000,
    // Times are measured.
    fileParallelism: false,
  },
});
