import { availableParallelism } from 'node:os';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
    // Long enough for a slow shared machine; a hang still ends the run.
    testTimeout: 20_000,
    hookTimeout: 120_000,
    // One core less than there are, the default, would leave a machine of two with one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ['default', './scripts/closing-line-reporter.ts'],
  },
});

export default config;
