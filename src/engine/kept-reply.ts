import type { VisibleRecord } from '../models/backend.ts';
import type { NewRow } from '../store/rows.ts';
import { scrub } from './scrub.ts';

/** What a run may store of texts that models and providers wrote. */
export interface TextPolicy {
  /** True for protected records: a text is measured and hashed, and not stored. Default: false. */
  readonly isProtected?: boolean | undefined;
  /** True to store texts about protected records on purpose, with the values of the records blocked out. Default: false. */
  readonly keepText?: boolean | undefined;
}

/** Whether texts are neither stored nor there to be read again. */
export function isWithheld({ isProtected, keepText }: TextPolicy): boolean {
  return isProtected === true && keepText !== true;
}

/** A model's text in the form in which the store gets it. `keep` lists folded words that are never blocked out. */
export function keptReply(
  text: string | null,
  records: readonly VisibleRecord[],
  policy: TextPolicy,
  keep?: ReadonlySet<string>,
): Pick<NewRow, 'rawResponse' | 'withheld'> {
  if (text === null || !policy.isProtected) return { rawResponse: text };
  return isWithheld(policy)
    ? { rawResponse: null, withheld: text }
    : { rawResponse: scrub(text, records, keep) };
}
