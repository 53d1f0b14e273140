import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/engine-fixture.ts';
import { krisis } from '../../../test/krisis.ts';
import { readCaseFile } from '../../conformance/case-file.ts';
import { runCases } from '../../conformance/run-cases.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import type { AskedRun } from '../analysis.ts';
import { computeTogether } from '../asked-analyses.ts';
import { askedRun } from '../asked-rates.ts';
import { varianceSplitAnalysis } from '../variance-split/analysis.ts';
import { rankIntervalsAnalysis } from './analysis.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

const DRAWN = { resamples: 400, seed: 42, level: 0.95 };

/** A run on emergencies e0, e1, ... of which it misses some and fails on others. */
function run(name: string, missed: number, failed: number, n = 40): AskedRun {
  const rows = Array.from({ length: n }, (_, i) =>
    evaluationResult({
      id: `e${i}`,
      call: `call-${Math.floor(i / 2)}`,
      groundTruth: 'em',
      prediction: 'em',
      urgent: i >= missed,
      metadata: { must_act: true },
      ...(i >= n - failed && { state: 'failed', stateReason: 'timeout' }),
    }),
  );
  return askedRun({
    name,
    repeats: 1,
    task: null,
    primaryEndpoint: null,
    cluster: undefined,
    rows: () => rows,
  });
}

const ranksOf = (runs: readonly AskedRun[]) => rankIntervalsAnalysis.compute(runs, DRAWN)!.ranked[0]!;

describe('rank intervals and the variance split', () => {
  it('are what a second implementation computes', async () => {
    const outcomes = runCases(await readCaseFile('conformance/ranks.json'));
    expect(outcomes.filter(({ passed }) => !passed)).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(40);
  });

  it('rank only records that every model scored, and say what failed calls leave possible', () => {
    const { metric, nRecords, nLeftOut, nUnits, models } = ranksOf([run('a', 3, 0), run('b', 2, 30)]);
    expect({ metric, nRecords, nLeftOut, nUnits }).toEqual({
      metric: 'missed_emergency_rate',
      nRecords: 10,
      nLeftOut: 30,
      // Records of one call are drawn together, and five are too few.
      nUnits: 5,
    });
    expect(models.map(({ value, rank, nFailed }) => [value, rank, nFailed])).toEqual([
      [0.3, 2, 0],
      [0.2, 1, 30],
    ]);
    expect(models[1]!.bounds).toEqual({ lower: 2 / 40, upper: 32 / 40 });
    expect(models.map(({ rankBounds }) => rankBounds)).toEqual([
      { best: 1, worst: 2 },
      { best: 1, worst: 2 },
    ]);
    expect(ranksOf([run('a', 3, 0), run('b', 2, 30)]).reason).toBe('too_few_units');
  });

  it('cannot tell models apart that miss the same, and tell apart those that do not', () => {
    const [a, b, c] = ranksOf([run('a', 4, 0), run('b', 4, 0), run('c', 36, 0)]).models;
    expect([a!.rank, b!.rank, c!.rank]).toEqual([1.5, 1.5, 3]);
    expect([a!.best, b!.best, c!.best]).toEqual([0.5, 0.5, 0]);
    expect([c!.lower, c!.upper]).toEqual([3, 3]);
  });

  it('give the same numbers whatever the order of rows and runs', () => {
    const runs = [run('a', 6, 0), run('b', 9, 2), run('c', 7, 0)];
    const turned = runs
      .toReversed()
      .map((one) => askedRun({ ...one, rows: () => [...one.rows()].toReversed() }));
    const byName = (models: ReturnType<typeof ranksOf>['models']) =>
      models.toSorted((x, y) => (x.name < y.name ? -1 : 1));
    expect(byName(ranksOf(turned).models)).toEqual(byName(ranksOf(runs).models));
  });

  it('say nothing of a single model that was asked once', () => {
    const asked = [run('a', 1, 0)];
    expect(computeTogether(rankIntervalsAnalysis, asked, DRAWN)).toBeNull();
    expect(computeTogether(varianceSplitAnalysis, asked, DRAWN)).toBeNull();
  });

  it('are in comparisons, and the variance in reports of repeated runs', async () => {
    const ask = (name: string, ...more: string[]) =>
      krisis(['run', 'ckd/staging', '--n-records', '30', '--model', name, '--bootstrap', '50', ...more]);
    const [first, second] = [folder.file('a.db'), folder.file('b.db')];
    await ask('simulated/careful', '--repeat', '3', '--run', first);
    await ask('simulated/overconfident', '--run', second);
    const report = await krisis(['report', first]);
    expect(report.stdout).toMatch(/of\s+the\s+variance\s+of\s+single\s+replies/);
    expect(report.stdout).not.toMatch(/may\s+be\s+first/);
    const { variance_split: split } = JSON.parse(
      (await krisis(['report', first, '--format', 'json'])).stdout,
    );
    expect(split.splits.at(-1)).toMatchObject({
      metric: 'decision_accuracy',
      models: { reason: 'one_model' },
    });
    const compared = await krisis(['compare', first, second, '--full', '--bootstrap', '50']);
    expect(compared.stdout).toMatch(/Decision Accuracy, higher is better/);
    const again = await krisis(['compare', first, second, '--format', 'json', '--bootstrap', '50']);
    const { rank_intervals: ranks } = JSON.parse(again.stdout);
    expect(ranks.ranked.map(({ metric }: { metric: string }) => metric)).toContain('decision_accuracy');
    expect(ranks.ranked.at(-1).n_resamples).toBe(50);
  });
});
