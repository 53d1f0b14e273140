import type { RunPayload } from './api.ts';
import type { RecordIndex } from './record-index.ts';

const MOST_STEPS = 400;

/** How many usable rows have at least a confidence, and how many of those are wrong: at every confidence that was stated, the highest first, and in even steps where there are too many. */
export function confidenceSteps({ db }: RecordIndex): RunPayload['confidence_steps'] {
  const blocks = db
    .prepare(
      "SELECT confidence, count(*) AS n, sum(outcome = 'answered_wrong') AS errors FROM lines WHERE usable = 1 GROUP BY confidence ORDER BY confidence DESC",
    )
    .all() as { confidence: number; n: number; errors: number }[];
  let n = 0;
  let errors = 0;
  const steps = blocks.map((block) => {
    n += block.n;
    errors += block.errors;
    return { threshold: block.confidence, n, errors };
  });
  if (steps.length <= MOST_STEPS) return steps;
  const stride = (steps.length - 1) / (MOST_STEPS - 1);
  return Array.from({ length: MOST_STEPS }, (_, i) => steps[Math.round(i * stride)]!);
}
