import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readCaseFile } from './case-file.ts';
import { runCases } from './run-cases.ts';

const shared = '../shared/conformance/validity.json';

it.skipIf(!existsSync(shared))(
  'passes the reference cases of validity that take rows (skipped where ../shared is absent)',
  async () => {
    const cases = (await readCaseFile(shared)).filter(({ rows }) => rows);
    expect(cases).toHaveLength(19);
    expect(runCases(cases).filter(({ passed }) => !passed)).toEqual([]);
  },
);

it('knows unanswerable as a parameter of curves and decompositions, too', () => {
  const rows = [
    { prediction: 1, ground_truth: 1, abstained: false, confidence: 0.8 },
    {
      prediction: 1,
      ground_truth: null,
      abstained: false,
      confidence: 1,
      metadata: { should_abstain: true },
    },
  ];
  const cases = ['risk_coverage_curve', 'brier_decomposition'].flatMap((metric) =>
    [{}, { unanswerable: 'excluded' }].map((params) => ({
      id: metric,
      metric,
      rows,
      params,
      expected: null,
    })),
  );
  expect(runCases(cases).map(({ got }) => got)).toMatchObject([
    [{ threshold: 1, selective_risk: 1 }, { threshold: 0.8 }],
    [{ threshold: 0.8, selective_risk: 0 }],
    { brier: 0.52, skill: expect.any(Number) },
    { brier: expect.closeTo(0.04), skill: null },
  ]);
});
