import { describe, expect, it } from 'vitest';
import { runOf } from '../../../test/compare-fixture.ts';
import { type EvaluationResult, evaluationResult } from '../../core/evaluation-result.ts';
import type { RunRow } from '../run-result.ts';
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
  *results() {
    for (const result of rows) yield { result, promptMode: 'single' as const, repeat: 0, tokenConfidence };
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
    ['yyx', 'answered', 'yes', 1],
    ['xxx', 'failed', null, null],
  ])('by vote: %s is %s %s at %d', (word, state, prediction, confidence) => {
    const rows = [...sourceRows(file(replies(word)), 'repeats', options)].map(({ result }) => result);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ state, prediction });
    if (state !== 'failed') expect(rows[0]!.confidence).toBe(confidence);
  });

  it('keeps stated confidence as it is, and takes that of tokens in its place', () => {
    expect([...sourceRows(file(replies('y')), 'stated', options)][0]!.result.confidence).toBe(0.9);
    expect([...sourceRows(file(replies('y'), 0.7), 'logprobs', options)][0]!.result.confidence).toBe(0.7);
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
    ).flat() as RunRow[];
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

  it('use the bootstrap below 30 rows', () => {
    const [difference] = compareSources(run(20))!.differences;
    expect(difference).toMatchObject({ interval: 'cluster_bootstrap' });
    expect(difference!.brier.lower).toBeLessThan(difference!.brier.upper!);
  });

  it('are null where there is one source', () => {
    expect(compareSources({ ...run(20, {}), repeats: 1 })).toBeNull();
    expect(compareSources({ ...run(20, { temperature: 0 }) })).toBeNull();
  });
});
