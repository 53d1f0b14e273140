import { statSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/engine-fixture.ts';
import { compareRuns } from '../../analyses/comparison/compare-runs.ts';
import { pick } from '../../core/collections.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import { buildTable } from '../../metrics/columns.ts';
import { scoreTable } from '../../metrics/score.ts';
import { RunFile } from '../../store/run-file.ts';
import { verifyRun } from '../../store/verify-run.ts';
import { readRun } from '../read-run.ts';
import { recordRows } from './record-rows.ts';
import { writeWhole } from './write-whole.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

const about = { source: 'rows.csv', model: 'mine', krisisVersion: '1' };
const rows = Array.from({ length: 50 }, (_, i) =>
  evaluationResult({
    id: `p${i}`,
    groundTruth: i % 2 === 0 ? 'ill' : 'well',
    prediction: i % 5 === 0 ? 'ill' : i % 2 === 0 ? 'ill' : 'well',
    abstained: i % 7 === 0,
    confidence: 0.5 + (i % 50) / 100,
    call: `call ${Math.floor(i / 4)}`,
    metadata: { should_abstain: i % 6 === 0, sex: i % 3 === 0 ? 'f' : 'm', name: 'Jane Doe' },
  }),
);
const scoring = { resamples: 200, groupBy: ['sex'] };

function inMemory(given: typeof rows, model = 'mine') {
  const recorder = recordRows(RunFile.inMemory(), { ...about, model, scoring });
  for (const row of given) recorder.add(row);
  return recorder.finish();
}

describe('recordRows', () => {
  it('makes a run whose scores are those of the rows', async () => {
    const path = folder.file('rows.db');
    await writeWhole(
      path,
      async (run) => {
        const recorder = recordRows(run, { ...about, scoring });
        for (const row of rows) recorder.add(row);
        recorder.finish();
      },
      { isPrivate: true },
    );
    const card = scoreTable(buildTable(rows, { keep: ['sex'] }), scoring);
    const result = readRun(path);
    expect(result).toMatchObject({
      backendName: 'mine',
      status: 'complete',
      n: 50,
      sensitivity: 'protected',
    });
    expect(result.ledger).toEqual(card.ledger);
    for (const { name, value, interval } of card.scores) {
      expect([name, result.scores[name]!.value]).toEqual([name, value]);
      expect([name, result.scores[name]!.interval]).toEqual([name, interval]);
    }
    expect(new Set(result.groups.map(({ by }) => by))).toEqual(new Set(['sex']));
    expect(result.warnings.map(({ code }) => code)).toContain('recorded_answers');
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(verifyRun(path, {})).toMatchObject({ problems: [] });
  });

  it('keeps of the metadata what the run is scored by', () => {
    const [first] = inMemory(rows).evaluationResults;
    expect(first!.metadata).toEqual({ should_abstain: true, sex: 'f', asked_together: 1 });
  });

  it('keeps no text that a model wrote in place of a label', () => {
    const long = 'The patient Jane Doe, who came in today, is probably ill. '.repeat(3);
    const result = inMemory([
      { ...rows[0]!, abstained: false, state: 'answered', prediction: long },
      { ...rows[1]!, state: 'failed', stateReason: 'Jane Doe was here' },
    ]);
    expect(JSON.stringify(result.evaluationResults)).not.toContain('Jane');
    expect(result.ledger).toMatchObject({ answered_wrong: 1, failed_unknown: 1 });
  });

  it('gives rows of the same records the same suite, in whatever order', () => {
    const [ours, theirs] = [inMemory(rows, 'a'), inMemory(rows.toReversed(), 'b')];
    expect(theirs.suiteHash).toBe(ours.suiteHash);
    expect(compareRuns([ours, theirs], { resamples: 50 }).pairs).toMatchObject([{ nPaired: 50 }]);
    const other = inMemory(rows.map((row, i) => (i === 0 ? { ...row, groundTruth: 'well' } : row)));
    expect(other.suiteHash).not.toBe(ours.suiteHash);
  });

  it('pairs no rows without ids', () => {
    const nameless = inMemory(rows.map((row) => ({ ...row, id: null })));
    expect(nameless).toMatchObject({ suiteHash: null, n: 50 });
    expect(compareRuns([nameless, inMemory(rows)]).notPaired).toMatchObject([{ reason: 'rows_without_ids' }]);
  });

  it('takes rows of the same id for repeats, and refuses those that contradict each other', () => {
    const twice = rows.flatMap((row) => [row, { ...row, confidence: 0.9 }]);
    expect(inMemory(twice)).toMatchObject({ n: 100, nRecords: 50, repeats: 2 });
    expect(() => inMemory([rows[0]!, { ...rows[0]!, groundTruth: 'well' }])).toThrow(
      expect.objectContaining({ code: 'ERR_ROW_FILE', message: expect.stringContaining('"p0" contradict') }),
    );
  });

  it('says why a run cannot be written', async () => {
    writeFileSync(folder.file('file'), '');
    for (const target of [folder.path, folder.file('file/run.db')])
      await expect(writeWhole(target, async () => {})).rejects.toMatchObject({ code: 'ERR_OUTPUT' });
  });

  it('keeps which cases the model called urgent', () => {
    const urgent = rows.map((row, i) => ({
      ...row,
      urgent: i % 4 === 0,
      metadata: { must_act: i % 10 === 0 },
    }));
    const result = inMemory(urgent);
    expect(result.emergencyRule).toBe('urgency');
    expect(result.scores.missed_emergency_rate).toMatchObject(
      pick(scoreTable(buildTable(urgent)).scores.find(({ name }) => name === 'missed_emergency_rate')!, [
        'value',
        'nSuccesses',
        'nEvaluated',
      ]),
    );
    expect(result.scores.missed_emergency_rate).toMatchObject({ nSuccesses: 2, nEvaluated: 5 });
  });

  it('tells files apart by their emergencies, and refuses repeats that contradict each other', () => {
    const marked = (isEmergency: boolean) =>
      rows.map((row) => ({ ...row, metadata: { must_act: isEmergency } }));
    expect(inMemory(marked(true)).suiteHash).not.toBe(inMemory(marked(false)).suiteHash);
    expect(() => inMemory([marked(true)[0]!, marked(false)[0]!])).toThrow('the same must_act');
  });
});
