import { emptyTextLedger, enter, type Ledger, textClass } from '../../core/ledger.ts';
import type { Scorecard } from '../../metrics/score.ts';
import { DEFAULT_LEVEL, DEFAULT_SEED } from '../../statistics/score-options.ts';
import type { Judging } from './judging.ts';

/** A scorecard whose scores were not computed from a table of rows: published scores, or those of a judge. */
export function createCard(
  scored: Pick<Scorecard, 'task' | 'n' | 'nScored' | 'ledger' | 'scores'>,
  { level = DEFAULT_LEVEL, resamples }: { readonly level?: number; readonly resamples: number },
): Scorecard {
  return {
    ...scored,
    nMissingConfidence: 0,
    nInvalidConfidence: 0,
    nWithoutLabel: 0,
    nContradictions: 0,
    nTwoAnswers: 0,
    nQuotedAnswers: 0,
    nIndependent: scored.nScored,
    nMustAct: 0,
    emergencyRule: 'silence',
    subgroups: [],
    method: {
      level,
      seed: DEFAULT_SEED,
      generator: 'xoroshiro128plus',
      resamples,
      cluster: null,
      stratified: false,
    },
  };
}

/** The answers by class; the classes sum to `n`. */
export function answerLedger(answers: Judging['answers']): Ledger {
  const ledger = emptyTextLedger();
  for (const answer of answers) enter(ledger, textClass(answer));
  return ledger;
}
