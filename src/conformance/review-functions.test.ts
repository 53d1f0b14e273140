import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readCaseFile } from './case-file.ts';
import { runCases } from './run-cases.ts';

const shared = '../shared/conformance';
const failures = async (path: string) => runCases(await readCaseFile(path)).filter(({ passed }) => !passed);

it('passes every case on review, juries, weighted rubrics and probes that ships with the package', async () => {
  expect((await readCaseFile('conformance/review.json')).length).toBeGreaterThan(150);
  expect(await failures('conformance/review.json')).toEqual([]);
});

it.skipIf(!existsSync(shared))(
  'passes the project reference cases (skipped where ../shared is absent)',
  async () => {
    expect([await failures(`${shared}/quotes.json`), await failures(`${shared}/review.json`)]).toEqual([
      [],
      [],
    ]);
  },
);
