import { normalised } from '../normalised-text.ts';
import type { ItemVerdict } from '../verdict.ts';
import { findQuotePlaces, type QuotePlace } from '../verify-quote.ts';
import { ABSTENTION_TRAIT, type AskedItem, type JudgeQuestion, traitsToAsk } from './asked.ts';
import { emptyAnswerOutcome, isEmptyAnswer, type JudgeOutcome, judgeOutcome } from './judge-outcome.ts';

/**
 * The judge without a model, `baseline/lexical`: an item is present when its words, or an alias (by instruction),
 * occur in the answer as they are, unverified when every occurrence follows a negation, and absent
 * otherwise. It understands neither negation nor paraphrase, so it never finds a contradiction:
 * what a real judge must beat, and no judge to trust.
 *
 * @example
 * ```ts
 * const items = [{ id: 'a', instruction: 'Mentions NSAIDs' }, { id: 'b', instruction: 'States that potassium is high' }];
 * const aliases = { 'Mentions NSAIDs': ['ibuprofen'] };
 * lexicalVerdicts('Avoid ibuprofen.', items, aliases).map(({ verdict }) => verdict) // => ['present', 'absent']
 * ```
 */
export function lexicalVerdicts(
  answer: string,
  items: readonly AskedItem[],
  aliases: Readonly<Record<string, readonly string[]>> = {},
): ItemVerdict[] {
  return items.map(({ id, instruction, allQuotes, check }) => {
    // Finding words does not find a value.
    if (check !== undefined) return { id, verdict: 'unclear', quotes: [], reason: 'needs_a_model' };
    const others = Object.hasOwn(aliases, instruction) ? aliases[instruction]! : [];
    const places = [extractContent(instruction), ...others].flatMap((text) => findQuotePlaces(answer, text));
    const affirmed = places.filter(({ isNegated }) => !isNegated);
    const isUnverified = affirmed.length === 0 && places.length > 0;
    const quoted = withoutOverlaps(isUnverified ? places : affirmed);
    return {
      id,
      verdict: isUnverified ? 'unverified' : affirmed.length > 0 ? 'present' : 'absent',
      quotes: quoted
        .slice(0, allQuotes === true ? undefined : 1)
        .map(({ start, end }) => ({ text: answer.slice(start, end), start, end })),
      reason: isUnverified ? 'present_quote_negated' : null,
    };
  });
}

/** The same with the abstention, in the form of every judge. A trait that takes reading has no value. */
export function lexicalJudge(
  { answer, items, llmTraits }: Pick<JudgeQuestion, 'answer' | 'items' | 'llmTraits'>,
  aliases?: Readonly<Record<string, readonly string[]>>,
): JudgeOutcome {
  const traits = traitsToAsk(llmTraits);
  if (isEmptyAnswer(answer)) return emptyAnswerOutcome(items, traits);
  return judgeOutcome({
    verdicts: lexicalVerdicts(answer, items, aliases),
    traits: traits.map(({ name }) =>
      name === ABSTENTION_TRAIT.name
        ? { name, value: lexicalAbstention(answer), reason: null }
        : { name, value: null, reason: 'needs_a_model' },
    ),
  });
}

const LEADING_VERB =
  /^(?:the answer )?(?:clearly |explicitly |correctly )?(?:acknowledges|advises|asserts|claims|describes|explains|gives|identifies|includes|lists|mentions|names|notes|points out|recommends|references|reports|says|states|suggests|warns)\b(?: that\b| to\b| of\b| about\b)?(?: (?:the|an?)\b)?\s*/i;

/** What an instruction is about: "States that BCL2 inhibits apoptosis" looks for "BCL2 inhibits apoptosis". */
function extractContent(instruction: string): string {
  const plain = instruction.trim().replace(/\s+/g, ' ').replace(/\.$/, '');
  return plain.replace(LEADING_VERB, '') || plain;
}

function withoutOverlaps(places: readonly QuotePlace[]): QuotePlace[] {
  const apart: QuotePlace[] = [];
  for (const place of places.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (place.start >= (apart.at(-1)?.end ?? 0)) apart.push(place);
  }
  return apart;
}

/** How answers say that they do not answer. Advice to see a doctor is not among them: most full answers have it too. */
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
  const { text } = normalised(answer, 'flat');
  return PHRASES.some((phrase) => phrase.test(text));
}
