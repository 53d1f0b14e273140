import { ABSTAINED, ANSWERED } from './columns.ts';
import type { Sample } from './sample.ts';

/** Counts of rows by what the model did; `n` is all of them. */
export interface Outcomes {
  readonly n: number;
  readonly correct: number;
  /** Answered wrong. */
  readonly wrong: number;
  readonly abstained: number;
  /** Refusals included. */
  readonly invalid: number;
  /** Answered or invalid. */
  readonly notAbstained: number;
}

export function outcomesOf(sample: Sample): Outcomes {
  return sample.once(outcomesOf, () => count(sample, false));
}

/** The same without rows that have no label: whether their answer is right cannot be said. */
export function gradedOutcomesOf(sample: Sample): Outcomes {
  if (!sample.cells.gradable.includes(0)) return outcomesOf(sample);
  return sample.once(gradedOutcomesOf, () => count(sample, true));
}

function count({ cells, counts }: Sample, gradableOnly: boolean): Outcomes {
  let correct = 0;
  let answered = 0;
  let abstained = 0;
  let invalid = 0;
  for (let c = 0; c < cells.size; c++) {
    if (gradableOnly && cells.gradable[c] === 0) continue;
    const weight = counts[c]!;
    if (cells.state[c] === ANSWERED) answered += weight;
    else if (cells.state[c] === ABSTAINED) abstained += weight;
    else invalid += weight;
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
