import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const source = (file: string) => `${import.meta.dirname}/src/${file}`;

export default defineConfig({
  // Examples import the package by its name; here that is the source.
  resolve: {
    alias: [
      { find: /^krisis$/, replacement: source('index.ts') },
      { find: /^krisis\/([a-z]+)$/, replacement: source('entries/$1.ts') },
    ],
  },
  test: {
    // Tests compare printed text; a CI server would add colours.
    // Keys of the user stay out of the home folder.
    // Tests write their configs themselves.
    env: { NO_COLOR: '1', KRISIS_CONFIG_DIR: join(tmpdir(), 'krisis-test-config'), KRISIS_TRUST_CONFIG: '1' },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // One more than the cores of a small machine: many tests wait, for a pause to pass or for another process.
    maxWorkers: 3,
    projects: [
      // Unit tests share loaded modules between files: loading them again for every file took two thirds of the time. A test that changes the environment or the working folder restores it.
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts'], isolate: false } },
      { extends: true, test: { name: 'e2e', include: ['test/**/*.test.ts'] } },
    ],
  },
});
