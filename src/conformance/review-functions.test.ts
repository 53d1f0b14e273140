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

it('knows whether a judge decides a gate', () => {
  const inputs = {
    n_labelled: 72,
    n_questions: 24,
    random_sample: true,
    calibrated: true,
    sensitivity_upper: 0.79,
    specificity_upper: 0.95,
    kappa_upper: 0.7,
    positive_share: 0.6,
    corrected_available: false,
    allow_uncalibrated: true,
    score: 'raw',
  };
  const expected = {
    judge: 'refuted',
    gate: 'undecided',
    reason: 'judge_refuted',
    headline: 'no_score',
    flag_recorded: true,
  };
  const [outcome] = runCases([{ id: 'refuted', metric: 'judge_gate_status', inputs, expected }]);
  expect(outcome).toMatchObject({ passed: true, got: expected });
});
