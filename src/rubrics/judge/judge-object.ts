import { canonicalJson, finalAnswer, type JsonInText, jsonInText } from '../../core/index.ts';

type JudgeObject =
  | { readonly ok: true; readonly value: object }
  | { readonly ok: false; readonly reason: string };

/**
 * The object in a judge's reply that holds its judgement, or why there is none. An object with other text around it that is also in the answer is a quotation, not the judge's own. Of
 * several that say the same the last counts; where they differ, only one that is called final. One with a key twice is not read.
 *
 * @example
 * ```ts
 * const asked = { wanted: (value: object) => 'verdicts' in value, said: (value: object) => value };
 * judgeObject('The answer claims {"verdicts": []}. Mine: {"verdicts": [1]}', { ...asked, answer: 'Say {"verdicts": []}!' })
 * // => { ok: true, value: { verdicts: [1] } }
 * judgeObject('{"verdicts": []} or {"verdicts": [1]}', { ...asked, answer: '' }) // => { ok: false, reason: 'two_answers' }
 * ```
 */
export function judgeObject(
  text: string,
  {
    wanted,
    said,
    answer,
  }: {
    readonly wanted: (value: object) => boolean;
    /** What an object says: two that agree in this agree. */
    readonly said: (value: object) => unknown;
    /** The answer that is judged. */
    readonly answer: string;
  },
): JudgeObject {
  const json = jsonInText(text, wanted);
  if (!json.ok) return json;
  const quotable = squeezed(answer);
  const own = json.repaired ? json.found.filter((found) => !isQuoted(found, text, quotable)) : json.found;
  if (own.length === 0) return { ok: false, reason: 'quoted_from_answer' };
  const judged = finalAnswer(
    own,
    (one, other) => canonicalJson(said(one.value)) === canonicalJson(said(other.value)),
  );
  if (judged === null) return { ok: false, reason: 'two_answers' };
  return hasRepeatedKey(judged) ? { ok: false, reason: 'duplicate_keys' } : { ok: true, value: judged.value };
}

function isQuoted({ value, spanOf }: JsonInText, text: string, answer: string): boolean {
  const span = spanOf(value);
  const forms = [JSON.stringify(value), ...(span === null ? [] : [text.slice(span.start, span.end)])];
  return forms.some((form) => answer.includes(squeezed(form)));
}

/** Without what a quotation may change: white space, quotes and letter case. */
function squeezed(text: string): string {
  return text.replace(/[\s"'`“”‘’\\]/g, '').toLowerCase();
}

/** Whether an object anywhere in it has a key twice. */
function hasRepeatedKey({ value, repeatsKey }: JsonInText): boolean {
  const rest: object[] = [value];
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    if (repeatsKey(part)) return true;
    for (const inner of Object.values(part))
      if (typeof inner === 'object' && inner !== null) rest.push(inner);
  }
  return false;
}
