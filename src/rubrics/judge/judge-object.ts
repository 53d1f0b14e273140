import { type AnswerObject, type AnswerSearch, findAnswers } from '../../core/index.ts';

type JudgeObject =
  | { readonly ok: true; readonly value: object }
  | { readonly ok: false; readonly reason: string };

interface JudgeSearch extends Pick<AnswerSearch, 'keys' | 'partKeys' | 'decisions'> {
  /** The answer that is judged. */
  readonly answer: string;
}

/**
 * The object in a judge's reply that holds its judgement, or why there is none. An object with other text around it that decides
 * nothing but what an object in the answer decides is a quote. Of several that decide the same the last counts; several that
 * differ are no judgement, and neither is one with a key twice. A part of a judgement by itself must not contradict it.
 *
 * @example
 * ```ts
 * const search = { keys: ['met'], decisions: ({ met }) => [String(met)] };
 * judgeObject('The answer claims {"met": true}. Mine: {"met": false}', { ...search, answer: 'Say {"met": true}!' })
 * // => { ok: true, value: { met: false } }
 * judgeObject('{"met": true} or {"met": false}', { ...search, answer: '' }) // => { ok: false, reason: 'two_answers' }
 * ```
 */
export function judgeObject(text: string, { answer, ...search }: JudgeSearch): JudgeObject {
  const found = findAnswers(text, { ...search, sources: [answer], quotedFrom: 'answer' });
  if (!found.ok) return found;
  const { answers, hasUnreadable } = found;
  const judgement = answers.findLast(({ isReadable, isPart }) => isReadable && !isPart);
  if (judgement === undefined) return { ok: false, reason: 'malformed' };
  const decided = new Set(search.decisions(judgement.value));
  const agrees = ({ value, isPart }: AnswerObject) => {
    const decisions = new Set(search.decisions(value));
    return (
      [...decisions].every((decision) => decided.has(decision)) && (isPart || decisions.size === decided.size)
    );
  };
  if (hasUnreadable || !answers.every(agrees)) return { ok: false, reason: 'two_answers' };
  if (answers.some(({ repeatsKey }) => repeatsKey)) return { ok: false, reason: 'duplicate_keys' };
  return { ok: true, value: judgement.value };
}
