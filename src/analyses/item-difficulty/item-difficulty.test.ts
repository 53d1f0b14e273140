import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/engine-fixture.ts';
import { krisis } from '../../../test/krisis.ts';
import { readCaseFile } from '../../conformance/case-file.ts';
import { runCases } from '../../conformance/run-cases.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import { openRun } from '../../runs/read-run.ts';
import { scoredRun } from '../comparison/scored-run.ts';
import { itemDifficultyAnalysis } from './analysis.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

const ASKED = { task: null, primaryEndpoint: null, cluster: undefined, scored: () => scoredRun([]) };
const DRAWN = { resamples: 0, seed: 42, level: 0.95 };
const IN_TEXT = /wrong in\s+every\s+reply/;

describe('item difficulty', () => {
  it('is what a second implementation computes', async () => {
    const outcomes = runCases(await readCaseFile('conformance/difficulty.json'));
    expect(outcomes.filter(({ passed }) => !passed)).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(20);
  });

  it('names what models agree on where all contradict the label, and repeats no other text', () => {
    const answers = ['mild', 'Mild', 'severe', 'Mr Smith'];
    const runs = answers.map((prediction, i) => ({
      name: `model-${i}`,
      repeats: 1,
      ...ASKED,
      rows: () => [
        evaluationResult({ id: 'a', groundTruth: 'severe', prediction }),
        evaluationResult({ id: 'b', groundTruth: 'mild', prediction: 'mild' }),
        evaluationResult({ id: 'c', groundTruth: 'mild', state: 'failed', stateReason: 'timeout' }),
      ],
    }));
    const found = itemDifficultyAnalysis.compute(runs, DRAWN)!;
    expect(found).toMatchObject({ nModels: 4, nRecords: 2, allRight: 1 });
    expect(found.records[0]).toMatchObject({
      id: 'a',
      expected: 'severe',
      n: 4,
      right: 1,
      commonest: { label: 'mild', n: 2 },
    });
    expect(JSON.stringify(found)).not.toContain('Smith');
  });

  it('counts a deferral as right where the case should be deferred', () => {
    const row = { id: 'a', groundTruth: 'x', prediction: null, abstained: true };
    const run = (should: boolean) => ({
      name: 'm',
      repeats: 2,
      ...ASKED,
      rows: () =>
        [row, row].map((each) => evaluationResult({ ...each, metadata: { should_abstain: should } })),
    });
    expect(itemDifficultyAnalysis.compute([run(true)], DRAWN)!.records[0]).toMatchObject({
      expected: 'defer',
      right: 2,
      deferred: 2,
    });
    expect(itemDifficultyAnalysis.compute([run(false)], DRAWN)!.allWrong.n).toBe(1);
  });

  it('does not call a record hard whose replies can be neither right nor wrong', () => {
    const rows = ['a', 'b'].flatMap((id) => [
      // An emergency without a label, and a deferral where no label says whether to defer.
      evaluationResult({ id, groundTruth: null, prediction: 'x', metadata: { must_act: true } }),
      evaluationResult({ id, groundTruth: 'x', prediction: null, abstained: true }),
    ]);
    const run = { name: 'm', repeats: 2, ...ASKED, rows: () => rows };
    expect(itemDifficultyAnalysis.compute([run], DRAWN)).toMatchObject({
      nRecords: 0,
      nTooFew: 2,
      allWrong: { n: 0, share: null },
      records: [],
    });
  });

  it('says nothing about a record that was asked once', () => {
    const run = { name: 'm', repeats: 1, ...ASKED, rows: () => [] };
    expect(itemDifficultyAnalysis.compute([run], DRAWN)).toBeNull();
  });

  it('is in reports of repeated runs and in comparisons, as text and as JSON', async () => {
    const run = (name: string, ...more: string[]) =>
      krisis(['run', 'ckd/staging', '--n-records', '20', '--model', name, '--bootstrap', '0', ...more]);
    const [first, second] = [folder.file('a.db'), folder.file('b.db')];
    await run('simulated/careful', '--repeat', '3', '--run', first);
    await run('simulated/overconfident', '--run', second);
    expect(openRun(first)).toMatchObject({ numbersFrom: 'stored_report' });
    const report = await krisis(['report', first]);
    expect(report.stdout).toMatch(IN_TEXT);
    const alone = await krisis(['report', second]);
    expect(alone.stdout).not.toMatch(IN_TEXT);
    const compared = await krisis(['compare', first, second, '--format', 'json']);
    expect(JSON.parse(compared.stdout).item_difficulty).toMatchObject({ n_models: 2, n_records: 20 });
    const text = await krisis(['compare', first, second, '--full']);
    expect(text.stdout).toMatch(IN_TEXT);
  });
});
