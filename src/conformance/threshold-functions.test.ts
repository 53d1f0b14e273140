import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readCaseFile } from './case-file.ts';
import { runCases } from './run-cases.ts';
import { thresholdFunctions } from './threshold-functions.ts';

const shared = '../shared/conformance/guarantees.json';

it.skipIf(!existsSync(shared))(
  'passes the reference cases on thresholds, sources of confidence and drift (skipped where ../shared is absent)',
  async () => {
    const cases = (await readCaseFile(shared)).filter(
      ({ metric }) => Object.hasOwn(thresholdFunctions, metric) || metric === 'exact_upper_bound',
    );
    expect(cases.length).toBeGreaterThanOrEqual(27);
    expect(runCases(cases).filter(({ passed }) => !passed)).toEqual([]);
  },
);
