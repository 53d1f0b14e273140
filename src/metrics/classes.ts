import { ABSTAINED } from './columns.ts';
import { NO_LABEL } from './label-table.ts';
import type { Sample } from './sample.ts';

/** Rows of one true class. */
export interface ClassCount {
  n: number;
  correct: number;
  notAbstained: number;
}

/** The true classes by label code. Classes come from the truth, never from predictions; rows without a derivable truth belong to none. */
export function classesOf(sample: Sample): ReadonlyMap<number, ClassCount> {
  return sample.once(classesOf, count);
}

function count({ cells, counts }: Sample): ReadonlyMap<number, ClassCount> {
  const classes = new Map<number, ClassCount>();
  for (let c = 0; c < cells.size; c++) {
    const truth = cells.truth[c]!;
    const weight = counts[c]!;
    if (truth === NO_LABEL || weight === 0) continue;
    const entry = classes.get(truth) ?? { n: 0, correct: 0, notAbstained: 0 };
    classes.set(truth, entry);
    entry.n += weight;
    if (cells.correct[c] === 1) entry.correct += weight;
    if (cells.state[c] !== ABSTAINED) entry.notAbstained += weight;
  }
  return classes;
}
