import { ABSTAINED, ANSWERED, INVALID } from './columns.ts';
import type { Sample } from './sample.ts';

/** Counts of rows by what the model did; `n` is all of them. */
export interface Outcomes {
  readonly n: number;
  readonly correct: number;
  /** Answered wrong. */
  readonly wrong: number;
  readonly abstained: number;
  readonly invalid: number;
  /** Answered or invalid. */
  readonly notAbstained: number;
}

export function outcomesOf(sample: Sample): Outcomes {
  return sample.once(outcomesOf, count);
}

function count({ cells, counts }: Sample): Outcomes {
  let correct = 0;
  let answered = 0;
  let abstained = 0;
  let invalid = 0;
  for (let c = 0; c < cells.size; c++) {
    const weight = counts[c]!;
    if (cells.state[c] === ANSWERED) answered += weight;
    else if (cells.state[c] === ABSTAINED) abstained += weight;
    else if (cells.state[c] === INVALID) invalid += weight;
    if (cells.correct[c] === 1) correct += weight;
  }
  return {
    n: answered + abstained + invalid,
    correct,
    wrong: answered - correct,
    abstained,
    invalid,
    notAbstained: answered + invalid,
  };
}
