import type { ItemResult, JudgedAnswer } from '../../results/index.ts';
import { words } from './trait-cells.ts';

/** One instruction of an answer's evidence. */
export interface EvidenceItem extends ItemResult {
  /** From 1, through all traits of the answer. */
  readonly number: number;
}

/** The instructions of an answer, numbered, so that marks in the answer can point to them. */
export function evidenceItems({ metricTraits }: JudgedAnswer): EvidenceItem[] {
  return metricTraits.flatMap(({ items }) => items).map((item, i) => ({ ...item, number: i + 1 }));
}

/** What the verdict means for the score. */
export function verdictText(item: ItemResult): string {
  const counted = item.counts === null ? ', not scored' : '';
  const why = item.reason === null ? '' : ` (${words(item.reason)})`;
  return `${words(item.class)}${counted}${why}`;
}

/** What a trait of another kind says of an answer. */
export function outcomeText({ outcome }: JudgedAnswer['otherTraits'][number]): string {
  return outcome.kind === 'unscored' ? `unscored: ${words(outcome.reason)}` : String(outcome.value);
}

/** How an answer ended, in a line. */
export function stateText(answer: JudgedAnswer): string {
  const { state, stateReason, abstained, abstainedReason, shouldAbstain } = answer;
  const what =
    state !== 'answered'
      ? `${words(state)}${stateReason === null ? '' : ` (${words(stateReason)})`}`
      : abstained === null
        ? `answered; whether it abstains is not known (${words(abstainedReason)})`
        : abstained
          ? 'abstained'
          : 'answered';
  return shouldAbstain === null ? what : `${what}; should ${shouldAbstain ? 'abstain' : 'answer'}`;
}
