const SUBJECT = "(?:the |this |an )?(?:answer|response|reply|model|text|it)?'?s? *";
const VERB =
  "(?:(?:do|does|did|must|should|may|can|could|will|would|is|are|was|has|have)(?: not|n['’]t)|cannot|never|not|no|nothing|without|fails? to|omits?|omission of|avoids?|lacks?|lack of|refrains? from|neglects? to|refuses? to|leaves? out|absence of|free of)";
const NEGATED = new RegExp(`^${SUBJECT}${VERB}\\b`, 'iu');

/**
 * Whether an instruction says what an answer does not do. As a forbidden item that is a double negative: "does not mention X" is absent when X is mentioned.
 * A false claim that has a "not" of its own is no such thing: its "not" comes after the verb that introduces the claim.
 *
 * @example
 * ```ts
 * isNegated('Does not mention dialysis') // => true
 * isNegated('No mention of dialysis') // => true
 * isNegated('States that NSAIDs do not harm the kidney') // => false
 * isNegated('Notes that potassium is high') // => false
 * ```
 */
export function isNegated(instruction: string): boolean {
  return NEGATED.test(instruction.trim());
}
