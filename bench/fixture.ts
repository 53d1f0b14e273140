import { evaluationResult } from '../src/core/evaluation-result.ts';
import { type Columns, RowTableBuilder } from '../src/metrics/columns.ts';
import { createRandom } from '../src/statistics/random.ts';

/** What a row of answers looks like; `continuous` confidences have no ties, the worst case for everything that groups by confidence. */
export function* answers(n: number, confidences: 'stated' | 'continuous', seed = 1) {
  const random = createRandom(seed);
  const stated = [0.55, 0.6, 0.7, 0.75, 0.8, 0.85, 0.88, 0.9, 0.92, 0.95, 0.97, 0.99];
  for (let i = 0; i < n; i++) {
    const truth = random.float() < 0.6 ? 'present' : 'absent';
    const abstained = random.float() < 0.15;
    const right = random.float() < 0.85;
    const other = truth === 'present' ? 'absent' : 'present';
    yield {
      id: `r${i}`,
      prediction: abstained ? null : right ? truth : other,
      ground_truth: truth,
      abstained,
      confidence: confidences === 'stated' ? stated[random.integer(stated.length)]! : random.float(),
      metadata: { should_abstain: random.float() < 0.2, ckd_stage: 1 + random.integer(5) },
    };
  }
}

export function columns(n: number, confidences: 'stated' | 'continuous'): Columns {
  const builder = new RowTableBuilder();
  for (const row of answers(n, confidences)) {
    builder.add(evaluationResult({ ...row, id: null, groundTruth: row.ground_truth }));
  }
  return builder.finish().scored;
}

/** The fastest of several runs, in milliseconds: what the machine can do when nobody else is using it. */
export function fastest(times: number, work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times; i++) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

export function report(what: string, ratio: number, limit: number): void {
  const verdict = ratio <= limit ? 'within' : 'ABOVE';
  console.log(`${what}: ${ratio.toFixed(2)} (${verdict} ${limit})`);
  if (ratio > limit) process.exitCode = 1;
}
