import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'tools/**/*.test.ts'],
    exclude: ['test/kubernetes/**', 'test/peers/**'],
    testTimeout: 20_000,
  },
});
