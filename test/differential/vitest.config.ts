import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Istio has a separate configuration, since its judge takes long to build.
    include: ['test/differential/*.test.ts', 'test/differential/{opentelemetry,kubernetes}/*.test.ts'],
    // Many thousand runs take hours.
    testTimeout: 24 * 60 * 60 * 1000,
  },
});
