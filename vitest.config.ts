import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The entry points of the package. */
const door = (folder: string) => fileURLToPath(new URL(`src/${folder}/index.ts`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      'podgraft/testing': door('testing'),
      'podgraft/chain': door('chain'),
      'podgraft/gotemplate': door('gotemplate'),
      'podgraft/cel': door('cel'),
      'podgraft/policy': door('policy'),
      podgraft: door('sdk'),
    },
  },
  test: {
    include: ['{src,web,test,tools,examples}/**/*.test.ts'],
    // These need more than Node, or minutes: `npm run test:page`, `npm run test:kubernetes`, `npm run test:e2e`, `npm run test:peers`, `npm run test:differential` and `npm run fuzz`.
    exclude: [
      'test/page/**',
      'test/kubernetes/**',
      'test/e2e/**',
      'test/peers/**',
      'test/fuzz/**',
      'test/differential/**',
    ],
    globalSetup: 'test/build-once.ts',
    // The default leaves one core idle, which is half of a small machine.
    maxWorkers: '100%',
    testTimeout: 30_000,
    // Tests wait for other processes on a machine that may be busy.
    expect: { poll: { timeout: 20_000 } },
  },
});
