import texts from './failure-problems.json' with { type: 'json' };
import { type Fault, isFault } from './fault.ts';

/** What went wrong with a call where that is known more exactly than its fault. */
type RefinedProblem = Exclude<keyof typeof texts, Fault>;

/** What went wrong with a call: its fault, or more exactly. */
export type FailureProblem = Fault | RefinedProblem;

/** Of failed calls about protected records only these codes and the status are stored. */
export function isFailureProblem(text: unknown): text is FailureProblem {
  return typeof text === 'string' && (isFault(text) || Object.hasOwn(texts, text));
}

/**
 * What a problem is called, and what to do about it. Flags of the command line are named as they are typed.
 *
 * @example
 * ```ts
 * failureWords('web_page').says // => 'a web page came back instead of JSON'
 * ```
 */
export function failureWords(problem: FailureProblem): {
  readonly says: string;
  readonly advice: string | null;
} {
  return (
    (texts as Partial<Record<FailureProblem, { says: string; advice: string | null }>>)[problem] ?? {
      says: problem,
      advice: null,
    }
  );
}
