import type { JudgedAnswer } from './judged-answers.ts';
import { ITEM_CLASSES, type ItemClass } from './score-metric-trait.ts';

/** The items of all answers, each in one class; the classes sum to `n`. Only the first three are scored by what the judge said; a refused answer says nothing. */
export type JudgeLedger = { n: number } & Record<ItemClass, number>;

export function judgeLedger(answers: readonly JudgedAnswer[]): JudgeLedger {
  const none = Object.fromEntries(ITEM_CLASSES.map((name) => [name, 0])) as Record<ItemClass, number>;
  const ledger: JudgeLedger = { n: 0, ...none };
  for (const { items } of answers.flatMap(({ metricTraits }) => metricTraits)) {
    ledger.n += items.length;
    for (const item of items) ledger[item.class] += 1;
  }
  return ledger;
}

/** Items without a usable verdict; in a refused answer every item is absent, and so scored. */
export function nUnscoredItems(ledger: JudgeLedger): number {
  return ledger.n - ledger.present - ledger.absent - ledger.contradicted - ledger.answer_refused;
}
