import { comparableText, contentHash, type PromptMessage, strictObject } from '../../core/index.ts';
import { verifyQuote } from '../verify-quote.ts';
import type { ClaimVerdict } from '../weighted/claim-precision.ts';
import { delimiterCode, fillSlots } from './fill-template.ts';
import { judgeObject } from './judge-object.ts';
import type { JudgePrompt } from './judge-prompt.ts';
import TEXT from './judge-text.json' with { type: 'json' };

/** A text that the claims of answers are checked against: a guideline, a leaflet. */
export interface ClaimSource {
  /** How reports name it. */
  readonly name: string;
  readonly text: string;
}

/** A claim of an answer that matches no item, and what the source says of it. */
export interface Claim {
  /** The words of the answer. */
  readonly claim: string;
  readonly verdict: ClaimVerdict;
  /** The words of the source that the verdict rests on; null where there are none. */
  readonly source: string | null;
}

const VERDICTS: readonly ClaimVerdict[] = ['supported', 'unsupported', 'contradicted', 'not_checkable'];

const TEMPLATE: readonly PromptMessage[] = [
  { role: 'system', content: TEXT.claims.system.join('\n') },
  { role: 'user', content: TEXT.claims.user.join('\n') },
];

const word = { type: 'string' as const };
const SCHEMA = strictObject({
  claims: {
    type: 'array' as const,
    items: strictObject({ claim: word, verdict: { type: 'string' as const, enum: VERDICTS }, source: word }),
  },
});

/** Changes when the wording of this call changes. */
export const CLAIMS_PROMPT_HASH: string = contentHash([TEMPLATE, SCHEMA]).slice(0, 16);

/** Asks for the claims of an answer that match no item, each checked against a source. */
export function claimsPrompt({
  question,
  answer,
  items,
  source,
}: {
  readonly question: string;
  readonly answer: string;
  readonly items: readonly { readonly instruction: string }[];
  readonly source: ClaimSource;
}): Omit<JudgePrompt, 'order'> {
  const fence = delimiterCode([question, answer, source.text]);
  const lines = items.map(({ instruction }) => JSON.stringify(instruction)).join('\n');
  return {
    messages: fillSlots(TEMPLATE, {
      question,
      answer,
      source: source.text,
      items: lines === '' ? '(none)' : lines,
      fence,
    }),
    template: TEMPLATE,
    schema: SCHEMA,
  };
}

type ParsedClaims =
  | { readonly ok: true; readonly claims: readonly Claim[] }
  | { readonly ok: false; readonly reason: string };

/** What a list of claims, or one of them, decides: a quote may change the words of the source, blanks and letter case. */
function decisionsIn(value: object): string[] {
  const { claims = [value] } = value as { readonly claims?: unknown };
  if (!Array.isArray(claims)) return [];
  return claims.map((entry) =>
    JSON.stringify([comparableText(entry?.claim), comparableText(entry?.verdict)]),
  );
}

/**
 * Reads the claims that a judge listed. A claim whose words are not in the answer is left out: the judge made it up. One that is called supported or contradicted by words that are not in the source is unsupported: a
 * judge's own knowledge is not a source.
 *
 * @example
 * ```ts
 * const reply = '{"claims": [{"claim": "Eat less salt", "verdict": "supported", "source": "less than 5 g of salt"}]}';
 * const source = { name: 'leaflet', text: 'Have less than 5 g of salt a day.' };
 * parseClaims(reply, 'Eat less salt.', source) // => { ok: true, claims: [{ claim: 'Eat less salt', verdict: 'supported', source: 'less than 5 g of salt' }] }
 * ```
 */
export function parseClaims(text: string, answer: string, source: ClaimSource): ParsedClaims {
  const found = judgeObject(text, {
    keys: ['claims'],
    partKeys: ['claim'],
    decisions: decisionsIn,
    answer,
  });
  if (!found.ok) return { ok: false, reason: `unreadable_${found.reason}` };
  const given: unknown = (found.value as { claims?: unknown }).claims;
  if (!Array.isArray(given)) return { ok: false, reason: 'no_claims' };
  const claims: Claim[] = [];
  for (const entry of given as readonly Partial<Record<keyof Claim, unknown>>[]) {
    const verdict = VERDICTS.find((one) => one === entry?.verdict);
    if (typeof entry?.claim !== 'string' || verdict === undefined) return { ok: false, reason: 'bad_claim' };
    if (verifyQuote(answer, entry.claim) === null) continue;
    const words = typeof entry.source === 'string' && entry.source.trim() !== '' ? entry.source : null;
    const isFound = words !== null && verifyQuote(source.text, words) !== null;
    const needsSource = verdict === 'supported' || verdict === 'contradicted';
    claims.push({
      claim: entry.claim,
      verdict: needsSource && !isFound ? 'unsupported' : verdict,
      source: isFound ? words : null,
    });
  }
  return { ok: true, claims };
}
