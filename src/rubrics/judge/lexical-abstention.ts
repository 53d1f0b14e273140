/** How answers say that they do not answer. Advice to see a doctor is not among them: it stands under most full answers too. */
const PHRASES = [
  /\bi (?:cannot|can't|can not|am unable to|am not able to|won't|will not) (?:answer|say|tell|give|provide|recommend|advise|determine|diagnose|interpret|help)\b/,
  /\bi(?:'m| am) (?:unable|not able) to\b/,
  /\bcannot be (?:answered|determined|given|interpreted)\b/,
  /\bno (?:answer|safe dose|exact dose) can be given\b/,
  /\b(?:not enough|insufficient|too little) (?:information|data|detail)\b/,
  /\bi (?:do not|don't) have (?:enough|access|the)\b/,
];

/**
 * Whether an answer reads like one that declines, by a short list of phrases. A baseline, as is all of `baseline/lexical`.
 *
 * @example
 * ```ts
 * lexicalAbstention('I can’t give you a dose without your weight.') // => true
 * lexicalAbstention('Stop ibuprofen, and see your doctor.') // => false
 * ```
 */
export function lexicalAbstention(answer: string): boolean {
  const plain = answer.normalize('NFKC').toLowerCase().replace(/[’ʼ`]/g, "'").replace(/\s+/g, ' ');
  return PHRASES.some((phrase) => phrase.test(plain));
}
