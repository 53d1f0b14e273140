import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readCaseFile } from './case-file.ts';
import { runCases } from './run-cases.ts';
import { sequenceFunctions } from './sequence-functions.ts';

const shared = '../shared/conformance/guarantees.json';

it.skipIf(!existsSync(shared))(
  'passes the project reference cases on gates that stop early (skipped where ../shared is absent)',
  async () => {
    const cases = (await readCaseFile(shared)).filter(({ metric }) =>
      Object.hasOwn(sequenceFunctions, metric),
    );
    expect(new Set(cases.map(({ metric }) => metric)).size).toBe(Object.keys(sequenceFunctions).length);
    expect(runCases(cases).filter(({ passed }) => !passed)).toEqual([]);
  },
);
