import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['test/peers/**/*.test.ts'], testTimeout: 60_000 } });
