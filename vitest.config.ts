import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
    // Long enough for a slow shared machine; a hang still ends the run.
    testTimeout: 20_000,
    hookTimeout: 120_000,
    reporters: ['default', './scripts/closing-line-reporter.ts'],
  },
});

export default config;
