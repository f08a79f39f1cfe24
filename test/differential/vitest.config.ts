import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/differential/**/*.test.ts'],
    // Many thousand runs take hours.
    testTimeout: 24 * 60 * 60 * 1000,
  },
});
