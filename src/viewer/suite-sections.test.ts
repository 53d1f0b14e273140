import { describe, expect, it } from 'vitest';
import type { RunLine, ScoreLine } from './api.ts';
import { describeSuiteRuns, type SuiteRun } from './suite-sections.ts';

const score = (successes: number): ScoreLine => ({
  name: 'accuracy',
  label: 'Accuracy',
  family: 'correctness',
  reads: 'labels',
  value: successes / 100,
  reason: null,
  bounds: null,
  interval: null,
  n: 100,
  n_successes: successes,
  interval_reason: null,
  better: 'higher',
  leads: 0,
  column: null,
  harm: false,
  constant_policies: null,
  ungateable: null,
  details: {},
});

function suiteRun(id: string, successes: number, more: Partial<RunLine> = {}): SuiteRun {
  const own = score(successes);
  const run = {
    id,
    kind: 'labels',
    model: 'unit/model',
    arm: null,
    created_at: '2026-03-01T12:00:00.000Z',
    status: 'complete',
    suite_hash: 'ab',
    sensitivity: 'public',
    shard: null,
    headline: own,
    leading: [own],
    n: 100,
    settings: {},
    ledger: {},
    notes: { name: null, note: null, tags: [], hidden: false },
    verification: null,
    ...more,
  } as RunLine;
  return { run, scores: [own] };
}

const named = (name: string) => ({ name, note: null, tags: [], hidden: false });
const runsIn = (part: unknown) => JSON.stringify(part).match(/(?<="\/)runs\/\w+/g);

describe('describeSuiteRuns', () => {
  it('takes the newest whole run of a model, and marks a part of a run', () => {
    const part = suiteRun('part', 80, { shard: { index: 1, of: 2 } });
    const shown = describeSuiteRuns('unit', [part, suiteRun('newer', 90), suiteRun('older', 70)]);
    expect(runsIn(shown.newest.section)).toEqual(['runs/newer']);
    expect(runsIn(shown.all!.section)).toEqual(['runs/part', 'runs/newer', 'runs/older']);
    const history = shown.histories[0]!.scores[0]!.section;
    expect(runsIn(history)).toEqual(['runs/older', 'runs/newer', 'runs/part']);
    expect(JSON.stringify(history)).toContain('part 1 of 2');
    // A part has other records, so that a limit around the first run says nothing of it.
    expect(JSON.stringify(history)).not.toContain('action limit');
  });

  it('marks the runs beyond the limits around the first', () => {
    const shown = describeSuiteRuns('unit', [suiteRun('later', 60), suiteRun('first', 90)]);
    const history = JSON.stringify(shown.histories[0]!.scores[0]!.section);
    expect(history).toContain('action limit');
    expect(history.match(/"isAlarm":\w+/g)).toEqual(['"isAlarm":false', '"isAlarm":true']);
  });

  it('says that versions of the suite differ', () => {
    const other = suiteRun('b', 80, { suite_hash: 'cd', model: 'unit/other' });
    const { newest } = describeSuiteRuns('unit', [suiteRun('a', 80), other]);
    expect(JSON.stringify(newest.section)).toContain('2 versions of the suite');
    expect(newest.compared).toEqual([]);
  });

  it('groups runs by their cases, and offers to compare those that share them', () => {
    const few = suiteRun('few', 80, { n: 60, settings: { repeats: '2' }, model: 'unit/few' });
    const runs = [few, suiteRun('a', 80), suiteRun('b', 70, { model: 'unit/other' })];
    const { newest } = describeSuiteRuns('unit', runs);
    const [models] = newest.section.blocks.filter((block) => block.kind === 'table');
    expect(models!.groups.map(({ title, rows }) => [title, rows.length])).toEqual([
      ['30 cases', 1],
      ['100 cases', 2],
    ]);
    expect(newest.compared).toEqual(['a', 'b']);
    expect(describeSuiteRuns('unit', runs.slice(1)).newest.section.blocks[0]).toMatchObject({
      groups: [{ title: null }],
    });
  });

  it('counts hidden runs, and has the names of runs whose text may be shown', () => {
    const hidden = suiteRun('hidden', 80, { notes: { ...named('x'), hidden: true } });
    const open = suiteRun('open', 80, { notes: named('first try'), model: 'unit/open' });
    const secret = suiteRun('secret', 80, { notes: named('of Ann'), sensitivity: 'protected' });
    const shown = describeSuiteRuns('unit', [hidden, open, secret]);
    expect([shown.n_runs, shown.n_models, shown.n_hidden]).toEqual([2, 2, 1]);
    const text = JSON.stringify(shown);
    expect(text).toContain('first try');
    expect(text).not.toContain('of Ann');
  });
});
