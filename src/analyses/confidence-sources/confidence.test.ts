import { describe, expect, it } from 'vitest';
import { runOf } from '../../../test/compare-fixture.ts';
import { type EvaluationResult, evaluationResult } from '../../core/evaluation-result.ts';
import type { Row } from '../../store/tables.ts';
import { compareSources } from './compare-sources.ts';
import { sourceRows } from './source-rows.ts';

const options = { repeats: 3, labels: ['yes', 'no'], parameters: {} };

/** One record with its replies: `y`, `n`, `o` abstained, `!` invalid, `x` failed. */
function replies(word: string, id = 'a'): EvaluationResult[] {
  const base = { id, groundTruth: 'yes', confidence: 0.9 };
  return [...word].map((letter) => {
    if (letter === 'o') return evaluationResult({ ...base, abstained: true });
    if (letter === '!') return evaluationResult({ ...base, state: 'invalid' });
    if (letter === 'x') return evaluationResult({ ...base, state: 'failed', stateReason: 'timeout' });
    return evaluationResult({ ...base, prediction: letter === 'y' ? 'yes' : 'no' });
  });
}

const file = (rows: readonly EvaluationResult[], tokenConfidence: number | null = null) => ({
  rows: {
    *readScored() {
      for (const row of rows)
        yield { ...row, id: row.id!, promptMode: 'single' as const, repeat: 0, tokenConfidence };
    },
  },
});

describe('rows with the confidence of a source', () => {
  it.each([
    ['yyn', 'answered', 'yes', 2 / 3],
    ['ynn', 'answered', 'no', 2 / 3],
    ['yno', 'abstained', null, null],
    ['yoo', 'abstained', null, null],
    ['y!!', 'answered', 'yes', 1 / 3],
    ['!!!', 'invalid', null, null],
    ['yyx', 'failed', null, null],
    ['xyy', 'failed', null, null],
    ['xxx', 'failed', null, null],
  ])('by vote: %s is %s %s at %d', (word, state, prediction, confidence) => {
    const rows = [...sourceRows(file(replies(word)), 'repeats', options)];
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ state, prediction });
    if (state !== 'failed') expect(rows[0]!.confidence).toBe(confidence);
  });

  it('leaves out a record that was not asked often enough yet', () => {
    const rows = [...replies('yy', 'a'), ...replies('yyy', 'b')];
    expect([...sourceRows(file(rows), 'repeats', options)].map(({ id }) => id)).toEqual(['b']);
  });

  it('keeps stated confidence as it is, and takes that of tokens in its place', () => {
    expect([...sourceRows(file(replies('y')), 'stated', options)][0]!.confidence).toBe(0.9);
    expect([...sourceRows(file(replies('y'), 0.7), 'logprobs', options)][0]!.confidence).toBe(0.7);
  });

  it.each([
    ['repeats', { ...options, repeats: 1 }],
    ['repeats', { ...options, parameters: { temperature: 0 } }],
    ['logprobs', options],
  ] as const)('refuses %s where the run has none', (source, given) => {
    expect(() => [...sourceRows(file(replies('yyy')), source, given)]).toThrow(
      expect.objectContaining({ code: 'ERR_CONFIDENCE_SOURCE' }),
    );
  });
});

describe('sources compared', () => {
  const run = (n: number, parameters: Record<string, unknown> = { logprobs: true }) => {
    const rows = Array.from({ length: n }, (_, i) =>
      replies(i % 5 === 0 ? 'nyy' : 'yyy', `r${i}`).map((row, repeat) => ({
        ...row,
        repeat,
        tokenConfidence: i % 5 === 0 ? 0.4 : 0.99,
      })),
    ).flat() as Row[];
    return runOf(rows, { repeats: 3, parameters, nRecords: n });
  };

  it('hold the first answer fixed, on the rows that have all of them', () => {
    const found = compareSources(run(100))!;
    expect([found.n, found.nRight]).toEqual([100, 80]);
    expect(found.sources.map(({ source }) => source)).toEqual(['stated', 'repeats', 'logprobs']);
    // Where the first reply is wrong, one vote in three is for it.
    expect(found.sources[1]!.brier).toBeCloseTo(0.2 / 9, 12);
    expect(found.differences.map(({ source }) => source)).toEqual(['repeats', 'logprobs']);
    expect(found.differences[0]!.brier.difference).toBeLessThan(0);
    expect(found.differences[0]!.brier.upper).toBeLessThan(0);
    expect(found.differences[0]!.auroc).toMatchObject({ aurocA: 1, aurocB: 0.5 });
    expect(found.differences[0]!.brierPerExtraCall).toBeLessThan(0);
    expect(found.differences[1]!.brierPerExtraCall).toBeNull();
  });

  it('have AUGRC and coverage at the threshold of each, with resampled intervals and their cost', () => {
    const found = compareSources(run(400))!;
    const [stated, repeats] = found.sources;
    // Among stated confidences that are all equal no threshold keeps a fifth of errors at bay; three equal votes are always right.
    expect(stated).toMatchObject({ threshold: null, coverage: 0 });
    expect(repeats).toMatchObject({ threshold: 1 });
    expect(repeats!.coverage).toBeCloseTo(0.8, 1);
    expect([stated!.augrc, repeats!.augrc]).toEqual([expect.closeTo(0.1, 12), expect.closeTo(0.02, 12)]);
    expect(found.promise).toEqual({ risk: 0.05, confidence: 0.9, nCalibration: 200, nEvaluation: 200 });
    const [difference] = found.differences;
    expect(difference!.augrc.difference).toBeCloseTo(-0.08, 12);
    expect(difference!.augrc.upper).toBeLessThan(0);
    expect(difference!.coverage!.difference).toBe(repeats!.coverage);
    expect(difference!.coverage!.lower).toBeGreaterThan(0.7);
    expect(difference!.coverage!.upper).toBeLessThan(0.9);
    const { extraCalls, aurocPerExtraCall, augrcPerExtraCall, coveragePerExtraCall } = difference!;
    expect(aurocPerExtraCall).toBeCloseTo(0.5 / extraCalls!, 12);
    expect(augrcPerExtraCall).toBeCloseTo(-0.08 / extraCalls!, 12);
    expect(coveragePerExtraCall).toBeCloseTo(repeats!.coverage! / extraCalls!, 12);
  });

  it('draw whole patients, one answer of each for the choice of a threshold', () => {
    const plain = run(200);
    const rows = [...plain.rows()].map((row) => ({
      ...row,
      metadata: { ...row.metadata, patient: `p${Number(row.id!.slice(1)) % 50}` },
    }));
    const result = { ...plain, rows: () => rows, method: { ...plain.method, cluster: 'patient' } };
    const found = compareSources(result as typeof plain)!;
    expect(found.promise).toMatchObject({ nCalibration: 25, nEvaluation: 100 });
    expect(found.differences[0]!.interval).toBe('cluster_bootstrap');
    // Every fifth record of a patient is wrong, so patients differ more than records drawn apart.
    const width = ({ lower, upper }: { lower: number | null; upper: number | null }) => upper! - lower!;
    const apart = compareSources(plain)!.differences[0]!;
    expect(width(found.differences[0]!.augrc)).toBeGreaterThan(width(apart.augrc));
  });

  it('have no intervals and no threshold after an early stop', () => {
    const found = compareSources({ ...run(100), status: 'stopped_early' })!;
    expect(found.promise).toBeNull();
    expect(found.sources[1]).toMatchObject({ threshold: null, coverage: null });
    const { brier, auroc, augrc, coverage, interval } = found.differences[0]!;
    for (const { lower, upper } of [brier, auroc!, augrc]) expect([lower, upper]).toEqual([null, null]);
    expect([coverage, interval]).toEqual([null, 'not_valid_after_early_stop']);
  });

  it('use the bootstrap below 30 rows', () => {
    const [difference] = compareSources(run(20))!.differences;
    expect(difference).toMatchObject({ interval: 'cluster_bootstrap' });
    expect(difference!.brier.lower).toBeLessThan(difference!.brier.upper!);
  });

  it('have no interval where nothing varies: with few rows no source has a threshold', () => {
    const [difference] = compareSources(run(40))!.differences;
    expect(difference!.coverage).toEqual({ difference: 0, se: null, lower: null, upper: null });
  });

  it('are null where there is one source', () => {
    expect(compareSources({ ...run(20, {}), repeats: 1 })).toBeNull();
    expect(compareSources({ ...run(20, { temperature: 0 }) })).toBeNull();
  });
});
