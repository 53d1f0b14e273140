import type { JudgedAnswer } from './judged-answers.ts';
import type { ItemClass } from './score-metric-trait.ts';

/** The items of all answers, each in one class; the classes sum to `n`. Only the first three are scored by what the judge said; a refused answer says nothing. */
export type JudgeLedger = { n: number } & Record<ItemClass, number>;

export function judgeLedger(answers: readonly JudgedAnswer[]): JudgeLedger {
  const ledger: JudgeLedger = {
    n: 0,
    present: 0,
    absent: 0,
    contradicted: 0,
    unclear: 0,
    unverified: 0,
    judge_error: 0,
    no_verdict: 0,
    answer_refused: 0,
    answer_failed: 0,
    answer_not_run: 0,
  };
  for (const { metricTraits } of answers) {
    for (const { items } of metricTraits) {
      for (const item of items) {
        ledger[item.class] += 1;
        ledger.n += 1;
      }
    }
  }
  return ledger;
}

/** Items without a usable verdict; in a refused answer every item is absent, and so scored. */
export function nUnscoredItems(ledger: JudgeLedger): number {
  return ledger.n - ledger.present - ledger.absent - ledger.contradicted - ledger.answer_refused;
}
