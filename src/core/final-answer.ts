/** Whether the words before an object call it the final answer, or at least the answer. */
export type FinalPhrase = 'final' | 'answer' | 'none';

/** Only the words right before an object are about it. */
const NEAR = 160;
const FINAL =
  /(?<!\bnot (?:yet )?(?:my|the|a) )\bfinal(?:\s+(?:answers?|responses?|repl(?:y|ies)|results?|verdicts?|decisions?|output|json)\b[^.!?{}[\]]{0,60}|\s*:[\s*_`]*)$/i;
const ANSWER =
  /(?<!\b(?:final|draft|first|initial|tentative|preliminary|provisional|previous|earlier|old|wrong|possible|sample|example|not (?:my|the|an)) )\banswer(?:\s+is|\s*[*_]*\s*:)[\s:*_`]*(?:json\s*)?$/i;

/**
 * What the text before an object says about it.
 *
 * @example
 * ```ts
 * finalPhrase('I first thought otherwise. **Final answer:**\n') // => 'final'
 * finalPhrase('My answer: ') // => 'answer'
 * finalPhrase('My draft answer: ') // => 'none'
 * ```
 */
export function finalPhrase(before: string): FinalPhrase {
  const near = before.slice(-NEAR).replace(/\s+/g, ' ');
  return FINAL.test(near) ? 'final' : ANSWER.test(near) ? 'answer' : 'none';
}

/**
 * The one of several answers in a reply that counts: the last when all agree, otherwise the only one that is called the final answer, or else the only one that is called the
 * answer. Null where they differ and none of them can be told to be meant.
 *
 * @example
 * ```ts
 * const answers = [{ phrase: 'none', label: 'a' }, { phrase: 'final', label: 'b' }, { phrase: 'none', label: 'c' }] as const;
 * finalAnswer(answers, (one, other) => one.label === other.label)?.label // => 'b'
 * ```
 */
export function finalAnswer<T extends { readonly phrase: FinalPhrase }>(
  answers: readonly T[],
  agree: (one: T, other: T) => boolean,
): T | null {
  const last = answers.at(-1);
  if (last === undefined || answers.every((answer) => agree(answer, last))) return last ?? null;
  for (const phrases of [['final'], ['final', 'answer']]) {
    const called = answers.filter(({ phrase }) => phrases.includes(phrase));
    if (called.length === 1) return called[0]!;
  }
  return null;
}
