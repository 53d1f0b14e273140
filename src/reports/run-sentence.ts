import type { Score } from '../core/index.ts';
import { percent, whole } from './charts/number-text.ts';
import { shown } from './document/blocks.ts';

type Counted = Pick<Score, 'name' | 'value' | 'nEvaluated' | 'nSuccesses'>;

interface SentenceParts {
  readonly model: string;
  /** How the rows ended: `answered_correct`, `abstained`, `failed_timeout`, ... */
  readonly ledger: Readonly<Record<string, number>>;
  /** All rows of the run; those not asked yet included, unless it stopped early. */
  readonly n: number;
  readonly scores: readonly Counted[];
  /** How often each record was asked. */
  readonly repeats: number;
  /** Whether rows are still to come. */
  readonly isRunning: boolean;
}

const USABLE = ['answered', 'answered_correct', 'answered_wrong'];

/**
 * What happened in a run, in one plain sentence; null where there is nothing to say.
 *
 * @example
 * ```ts
 * runSentence({
 *   model: 'demo/model',
 *   ledger: { answered_correct: 8, answered_wrong: 1, abstained: 1 },
 *   n: 10,
 *   scores: [
 *     { name: 'decision_accuracy', value: 0.9, nEvaluated: 10, nSuccesses: 9 },
 *     { name: 'deferral_recall', value: 0.5, nEvaluated: 2, nSuccesses: 1 },
 *   ],
 *   repeats: 1,
 *   isRunning: false,
 * }) // => 'demo/model answered 9 of 10 records; 90.0\u00a0% of its 10 decisions were right; it did not defer on 1 of the 2 records where it should have.'
 * ```
 */
export function runSentence(parts: SentenceParts): string | null {
  const { model, ledger, n, scores, repeats, isRunning } = parts;
  const noun = repeats > 1 ? 'row' : 'record';
  const found = (name: string) => {
    const score = scores.find((each) => each.name === name);
    return score?.value == null || score.nEvaluated === 0 ? null : score;
  };
  const countOf = (is: (name: string) => boolean) =>
    Object.entries(ledger).reduce((sum, [name, count]) => (is(name) ? sum + count : sum), 0);
  const answered = countOf((name) => USABLE.includes(name));
  const failed = countOf((name) => name.startsWith('failed'));
  const abstained = ledger.abstained ?? 0;
  const isCounted = n > 0 && countOf((name) => name !== 'n') > 0;
  const decision = found('decision_accuracy');
  const right = decision ?? found('selective_accuracy');
  const recall = found('deferral_recall');
  const silence = found('must_act_silence_rate');
  const clauses = shown([
    isCounted &&
      `${isRunning ? 'has so far answered' : 'answered'} ${answered === 0 ? 'none' : whole(answered)} of ${counted(n, noun)}${failed === 0 ? '' : ` (${whole(failed)} failed)`}`,
    right &&
      rightClause(
        right,
        decision !== null ? 'decision' : isCounted && right.nEvaluated > answered ? 'reply' : 'answer',
      ),
    recall === null && abstained > 0 && `it abstained on ${whole(abstained)}`,
    recall && deferralClause(recall, noun),
    silence &&
      successesOf(silence) > 0 &&
      `it was silent on ${whole(successesOf(silence))} of the ${counted(silence.nEvaluated, noun)} that call${silence.nEvaluated === 1 ? 's' : ''} for action`,
  ]);
  if (clauses.length === 0) return null;
  return `${model}${isCounted ? ' ' : ': '}${clauses.join('; ')}.`;
}

/** With its n: 100 % of 2 is little. Invalid replies are no answers, and count as wrong. */
function rightClause({ value, nEvaluated }: Counted, noun: keyof typeof PLURALS): string {
  if (nEvaluated === 1) return `its one ${noun} was ${value === 1 ? 'right' : 'wrong'}`;
  return `${percent(value!)} of its ${whole(nEvaluated)} ${PLURALS[noun]} were right`;
}

const PLURALS = { decision: 'decisions', answer: 'answers', reply: 'replies' } as const;

function deferralClause(recall: Counted, noun: string): string {
  const missed = recall.nEvaluated - successesOf(recall);
  const all = counted(recall.nEvaluated, noun);
  return missed === 0
    ? `it deferred on ${recall.nEvaluated === 1 ? `the ${all}` : `all ${all}`} where it should have`
    : `it did not defer on ${whole(missed)} of the ${all} where it should have`;
}

function successesOf({ value, nEvaluated, nSuccesses }: Counted): number {
  return nSuccesses ?? Math.round(value! * nEvaluated);
}

function counted(count: number, noun: string): string {
  return `${whole(count)} ${noun}${count === 1 ? '' : 's'}`;
}
