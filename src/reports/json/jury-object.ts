import { snakeKeys } from '../../core/index.ts';
import type { Jury } from '../../results/index.ts';

/** How far the judges of a jury differ, and what each cost, in file form. */
export function juryObject({ judges, splitItems, ...jury }: Jury) {
  return {
    ...snakeKeys(jury),
    judges: judges.map(({ dissent, ...judge }) => ({ ...snakeKeys(judge), dissent: snakeKeys(dissent) })),
    split_items: splitItems.map(snakeKeys),
  };
}
