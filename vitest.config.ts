import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'tools/**/*.test.ts'],
    // They need more than Node and npm: `npm run test:kubernetes` and `npm run test:peers`.
    exclude: ['test/kubernetes/**', 'test/peers/**'],
    globalSetup: 'test/build-once.ts',
    testTimeout: 30_000,
    // What is waited for is another process, on a machine that may be busy.
    expect: { poll: { timeout: 20_000 } },
  },
});
