import { withoutReasoning } from '../../core/index.ts';

const AS_AN_AI = String.raw`as an? (?:ai|artificial intelligence|(?:large )?language model)\b[^.!?\n]{0,80}?,? `;
const SORRY = `(?:(?:i'm|i am) )?(?:very |really |so )?sorry[,.:]? (?:but )?|i apologi[sz]e[,.:]? (?:but )?|unfortunately, `;
const CANNOT = `i(?: (?:can't|cannot|can not|won't|will not|must decline to|have to decline to|decline to|am (?:unable|not able) to)|'m (?:unable|not able) to) `;

/** What a refusal declines to do. Verbs of judgement ("exclude", "determine", "tell") are left out: they are about the case, and so is abstaining. */
const TO_HELP = String.raw`(?:help(?! but\b)|assist|comply|do (?:that|this)|fulfil|engage (?:in|with)|participate|complete (?:this|that|your) (?:request|task)|answer (?:this|that|your) (?:question|request)|(?:provide|give|offer) (?:you )?(?:with )?(?:an? |any |specific |personal )*(?:medical|health|advice|(?:this|that) (?:information|advice|kind|type)))\b`;
const TO_PRACTISE = String.raw`(?:diagnose|make (?:an? |any )?(?:medical |clinical )?(?:diagnos[ei]s|decisions?)|(?:provide|give|offer) (?:an? |any )?diagnos[ei]s|interpret|assess|evaluate|practi[sc]e)\b`;

const REFUSALS = [
  `(?:${SORRY})?(?:${AS_AN_AI})?${CANNOT}${TO_HELP}`,
  `(?:${SORRY})?${AS_AN_AI}${CANNOT}${TO_PRACTISE}`,
  `(?:${SORRY})i (?:can't|cannot|can not|won't)[.!]?$`,
].map((opening) => new RegExp(`^[^a-z]*(?:${opening})`));

/** Only the opening of a reply is searched. */
const OPENING_CHARACTERS = 300;

/**
 * Whether a reply without readable JSON opens like a policy refusal. The list is short on purpose: any other reply counts as malformed,
 * and a clinical text that declines to judge is not a refusal.
 */
export function looksLikeRefusal(text: string): boolean {
  const opening = withoutReasoning(text)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, OPENING_CHARACTERS)
    .toLowerCase()
    .replace(/[’ʼ‘]/g, "'");
  return REFUSALS.some((refusal) => refusal.test(opening));
}
