import TEXT from './judge-text.json' with { type: 'json' };

/** What can be wrong with a judge's reply, in the words of the repair prompt. Part of the prompt's hash: another wording is another instrument. */
export const PROBLEM_TEXTS = TEXT.problems;

export type ProblemCode = keyof typeof PROBLEM_TEXTS;

/** One thing wrong with a reply: with an item, with a trait, or with the whole (both null). */
export interface JudgeProblem {
  readonly code: ProblemCode;
  readonly id: string | null;
  readonly trait: string | null;
  /** More exactly: why a reply is unreadable, or what a call failed of. */
  readonly detail?: string;
}

export function problemLine({ code, id, trait }: JudgeProblem): string {
  const about = id ?? trait;
  return about === null ? `- ${PROBLEM_TEXTS[code]}` : `- ${JSON.stringify(about)}: ${PROBLEM_TEXTS[code]}`;
}

/** As stored: the code, with the detail where there is one. */
export function problemReason({ code, detail }: Pick<JudgeProblem, 'code' | 'detail'>): string {
  return detail === undefined ? code : `${code}_${detail}`;
}
