import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The doors, as those who install the package find them. */
const door = (folder: string) => fileURLToPath(new URL(`src/${folder}/index.ts`, import.meta.url));

export default defineConfig({
  resolve: { alias: { 'podgraft/testing': door('testing'), podgraft: door('sdk') } },
  test: {
    include: ['{src,test,tools,examples}/**/*.test.ts'],
    // They need more than Node and npm: `npm run test:kubernetes` and `npm run test:peers`.
    exclude: ['test/kubernetes/**', 'test/peers/**'],
    globalSetup: 'test/build-once.ts',
    // By default one core is left idle, which is half of a small machine.
    maxWorkers: '100%',
    testTimeout: 30_000,
    // What is waited for is another process, on a machine that may be busy.
    expect: { poll: { timeout: 20_000 } },
  },
});
