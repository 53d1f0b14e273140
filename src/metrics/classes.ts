import { ABSTAINED } from './columns.ts';
import { NO_LABEL } from './label-table.ts';
import type { Sample } from './sample.ts';

/** Rows of one true class, or of another group. */
export interface GroupCount {
  n: number;
  correct: number;
  notAbstained: number;
}

/** The true classes by label code. Classes come from the truth, never from predictions; rows without a derivable truth belong to none. */
export function classesOf(sample: Sample): ReadonlyMap<number, GroupCount> {
  return sample.once(classesOf, () => {
    const classes = countBy(sample, sample.cells.truth);
    classes.delete(NO_LABEL);
    return classes;
  });
}

/** Rows by the code of their cell; only cells that `includes` accepts. */
export function countBy(
  { cells, counts }: Sample,
  codes: Int32Array,
  includes: (cell: number) => boolean = () => true,
): Map<number, GroupCount> {
  const groups = new Map<number, GroupCount>();
  for (let c = 0; c < cells.size; c++) {
    const weight = counts[c]!;
    if (weight === 0 || !includes(c)) continue;
    const entry = groups.get(codes[c]!) ?? { n: 0, correct: 0, notAbstained: 0 };
    groups.set(codes[c]!, entry);
    entry.n += weight;
    if (cells.correct[c] === 1) entry.correct += weight;
    if (cells.state[c] !== ABSTAINED) entry.notAbstained += weight;
  }
  return groups;
}
