import type { ItemVerdict } from '../verdict.ts';
import { ABSTENTION_TRAIT } from './asked.ts';
import type { JudgedTrait, JudgeOutcome } from './judge-outcome.ts';

/** A stored judgement: as much of it as its store has. */
export type EarlierAttempt = Partial<
  Pick<JudgeOutcome, 'verdicts' | 'traits' | 'abstained' | 'abstainedReason'>
>;

/** Reasons why a trait has no value that asking again would not change. */
const NOT_FAILED = new Set(['empty_answer', 'not_asked', 'text_withheld']);

/**
 * Whether a judgement is to be asked again: an item or a trait has no usable entry, because the call failed, the reply could not be read or was cut off, or the judge refused. What the judge could not decide
 * (`unclear`) and quotes that were not found (`unverified`) are verdicts.
 *
 * @example
 * ```ts
 * hasFailed({ verdicts: [{ id: 'a', verdict: 'judge_error', quotes: [], reason: 'failed_timeout' }] }) // => true
 * hasFailed({ verdicts: [{ id: 'a', verdict: 'unclear', quotes: [], reason: null }] }) // => false
 * ```
 */
export function hasFailed({
  verdicts = [],
  traits = [],
  abstained,
  abstainedReason,
}: EarlierAttempt): boolean {
  return (
    verdicts.some(({ verdict }) => verdict === 'judge_error') ||
    traits.some(isOpen) ||
    (abstained === null && !NOT_FAILED.has(abstainedReason ?? ''))
  );
}

/** What an earlier attempt settled: verdicts by item, and traits by name, the abstention among them. */
export function settledBy({ verdicts = [], traits = [], abstained }: EarlierAttempt) {
  const found = traits.filter((trait) => !isOpen(trait));
  if (typeof abstained === 'boolean')
    found.push({ name: ABSTENTION_TRAIT.name, value: abstained, reason: null });
  return {
    verdicts: new Map<string, ItemVerdict>(
      verdicts.filter(({ verdict }) => verdict !== 'judge_error').map((verdict) => [verdict.id, verdict]),
    ),
    traits: new Map<string, JudgedTrait>(found.map((trait) => [trait.name, trait])),
  };
}

function isOpen({ value, reason }: JudgedTrait): boolean {
  return value === null && !NOT_FAILED.has(reason ?? '');
}
