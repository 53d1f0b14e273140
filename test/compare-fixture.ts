import fc from 'fast-check';
import { type EvaluationResult, evaluationResult } from '../src/core/evaluation-result.ts';
import type { BenchmarkRow, RunResult } from '../src/runs/run-result.ts';
import { reportOf } from './run-report-fixture.ts';

/**
 * Rows from one word: a letter is a record. `+` right, `-` wrong, `o` abstained, `!` invalid, `x` failed, `?` never run. Even records should be
 * answered, odd ones deferred; the truth is `yes`.
 */
export function rowsFrom(word: string, more: Partial<EvaluationResult> = {}): EvaluationResult[] {
  return [...word].map((letter, i) => {
    const id = `r${String(i).padStart(4, '0')}`;
    const base = { id, groundTruth: 'yes', metadata: { should_abstain: i % 2 === 1 }, ...more };
    const confidence = 0.5 + (i % 5) / 10;
    if (letter === '+') return evaluationResult({ ...base, prediction: 'yes', confidence });
    if (letter === '-') return evaluationResult({ ...base, prediction: 'no', confidence });
    if (letter === 'o') return evaluationResult({ ...base, abstained: true });
    if (letter === 'x') return evaluationResult({ ...base, state: 'failed', stateReason: 'timeout' });
    if (letter === '?') return evaluationResult({ ...base, state: 'not_run' });
    return evaluationResult({ ...base, state: 'invalid' });
  });
}

/** A report whose rows can be walked. */
export function runOf(rows: readonly EvaluationResult[], change: Partial<RunResult> = {}): RunResult {
  return reportOf({ ...change, rows: () => rows as BenchmarkRow[], scoredRows: () => rows }, rows, {
    resamples: 0,
  });
}

/** Two runs of the same cases, answered in any way. */
export const twoWords = fc
  .integer({ min: 2, max: 40 })
  .chain((n) =>
    fc.tuple(
      ...[0, 1].map(() =>
        fc
          .array(fc.constantFrom('+', '-', 'o', '!'), { minLength: n, maxLength: n })
          .map((word) => word.join('')),
      ),
    ),
  ) as fc.Arbitrary<[string, string]>;
