import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { CkdSuite } from '../src/entries/ckd.ts';
import { newcombeDifference, wilsonInterval } from '../src/entries/statistics.ts';
import { Benchmark, compareRuns, createBackend } from '../src/index.ts';

/** The sample sentences of docs/reporting-a-study.md have the numbers of the runs that the page makes. */
const page = readFileSync('docs/reporting-a-study.md', 'utf8');
const rounded = (value: number) => Math.round(value * 1000) / 1000;
const percent = (value: number) => (Math.round(value * 1000) / 10).toFixed(1);

type Result = Awaited<ReturnType<typeof resultOf>>;
const suite = new CkdSuite({ task: 'staging' });
async function resultOf(model: string) {
  const backend = await createBackend(model, suite, { seed: 42 });
  return new Benchmark(suite, backend, { batchSize: 1, bundle: 'extended' }).run();
}
const score = ({ metricScores }: Result, name: string) => metricScores.find((found) => found.name === name)!;

describe('docs/reporting-a-study.md', () => {
  let first: Result;
  let second: Result;
  let third: Result;
  beforeAll(async () => {
    first = await resultOf('simulated/careful');
    second = await resultOf('simulated/careful?spread=0.45');
    third = await resultOf('simulated/overconfident');
  }, 120_000);

  it('names the suite by its hash and endpoint', async () => {
    const { hash, deferral } = await suite.describe();
    expect(page).toContain(`SHA-256 ${hash.slice(0, 8)}...`);
    expect(suite.task.primaryEndpoint).toMatchObject({ metric: 'decision_accuracy', arm: 'natural' });
    expect(deferral.mustAnswer + deferral.mustDefer).toBe(744);
  });

  it.each([
    ['decision_accuracy', 744, '85.1 % (95 % interval 82.3 to 87.5; 744 cases)'],
    ['answer_rate', 1000, '79.4 % of the cases (76.8 to 81.8)'],
    ['answerable_selective_accuracy', 531, '88.9 % were right (85.9 to 91.3)'],
    ['deferral_recall', 188, '(85.6 %, 79.9 to 89.9)'],
    ['deferral_specificity', 556, '(95.5 %, 93.4 to 96.9)'],
  ])('gives %s with its interval', (name, n, sentence) => {
    const { value, interval, nEvaluated } = score(first, name);
    expect(nEvaluated).toBe(n);
    for (const number of [value!, interval!.lower, interval!.upper])
      expect(sentence).toContain(percent(number));
    expect(page).toContain(sentence);
  });

  it('gives deferral beside the trivial policies', () => {
    const { value, details } = score(first, 'deferral_alignment');
    expect(details).toMatchObject({
      confusion: { defer_when_needed: 161, answer_when_safe: 531 },
    });
    const { never_defer } = details.trivial_policies as { never_defer: number };
    expect(page).toContain(
      `Alignment was ${value!.toFixed(3)}; never deferring would have had ${never_defer.toFixed(3)}`,
    );
    const cost = score(first, 'deferral_cost_normalised');
    expect([cost.value!, cost.interval!.lower, cost.interval!.upper].map(rounded)).toEqual([
      0.288, 0.21, 0.402,
    ]);
  });

  it('gives calibration with its noise floor', () => {
    for (const [name, n, sentence] of [
      ['expected_calibration_error_answerable', 755, 'ECE was 0.021'],
      ['expected_calibration_error', 776, 'it was 0.029'],
    ] as const) {
      const { value, details, nEvaluated } = score(first, name);
      expect(nEvaluated).toBe(n);
      expect(sentence).toContain(value!.toFixed(3));
      expect(page).toContain(sentence);
      expect(page).toContain(
        `up to ${(details.null_band as { ece_null_p95: number }).ece_null_p95.toFixed(3)}`,
      );
    }
  });

  it('gives differences with what could have been shown', () => {
    const [close, far] = compareRuns([first, second, third]).pairs.map(
      ({ endpoints }) => endpoints.find(({ metric }) => metric === 'decision_accuracy')!,
    );
    expect(
      [close!.difference, close!.interval!.lower, close!.interval!.upper, close!.p].map((each) =>
        rounded(each!),
      ),
    ).toEqual([-0.007, -0.017, 0.001, 0.18]);
    expect(rounded(close!.minimumDetectableDifference!)).toBe(0.011);
    expect(
      [far!.difference, far!.interval!.lower, far!.interval!.upper].map((each) => rounded(each!)),
    ).toEqual([-0.226, -0.261, -0.193]);
    for (const sentence of [
      '(-0.7 points, -1.7 to +0.1; p = 0.18)',
      'a difference of 1.1 points',
      'by -22.6 points (-26.1 to -19.3;',
    ])
      expect(page).toContain(sentence);
  });

  it('bounds what did not happen, and what failed', () => {
    expect(page).toContain(`reaches to ${percent(wilsonInterval(0, 50)![1])} %`);
    for (const share of [168 / 180, 188 / 200, 168 / 200]) expect(page).toContain(`${percent(share)} %`);
  });

  it('compares a seed of your own with the public one', async () => {
    const counts = await Promise.all(
      [42, 7301].map(async (seed) => {
        const own = new CkdSuite({ task: 'staging', seed });
        const backend = await createBackend('simulated/careful', own, { seed });
        const result = await new Benchmark(own, backend, { batchSize: 1, resamples: 0 }).run();
        const { value, nEvaluated } = score(result, 'decision_accuracy');
        return [Math.round(value! * nEvaluated), nEvaluated] as const;
      }),
    );
    expect(counts).toEqual([
      [633, 744],
      [593, 713],
    ]);
    const found = newcombeDifference({ successesA: 633, nA: 744, successesB: 593, nB: 713 })!;
    expect([found.difference, found.lower, found.upper].map(percent)).toEqual(['1.9', '-1.8', '5.7']);
  });
});
