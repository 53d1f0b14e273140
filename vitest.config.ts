import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // What is printed is looked at as text; a CI server would have colours.
    env: { NO_COLOR: '1' },
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
