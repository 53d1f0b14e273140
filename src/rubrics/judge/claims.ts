import { z } from 'zod';
import { contentHash } from '../../core/canonical-json.ts';
import { count, type Shape } from '../../core/codec.ts';
import { comparableText } from '../../core/json-in-text.ts';
import { strictObject, type TextRequest } from '../../core/text-request.ts';
import { mean } from '../../statistics/samples.ts';
import type { Parsed } from '../verdict.ts';
import { verifyQuote } from '../verify-quote.ts';
import type { JudgeQuestion } from './asked.ts';
import { judgeObject, readOwn } from './judge-reply.ts';
import TEXT from './judge-text.json' with { type: 'json' };
import { createTemplate, fillPrompt } from './judge-text.ts';

const VERDICTS = ['supported', 'unsupported', 'contradicted', 'not_checkable'] as const;
/** What a source says of a claim. */
export type ClaimVerdict = (typeof VERDICTS)[number];

export const claimPrecisionSchema = z.object({
  /** Supported, of all checkable claims. */
  pooled: z.number().nullable(),
  meanOfAnswers: z.number().nullable(),
  /** Share of answers with at least one claim that the source does not support: hardly depends on how finely text is cut, and so leads. */
  answersWithUnsupported: z.number().nullable(),
  contradictedShare: z.number().nullable(),
  /** Checkable claims. */
  nClaims: count,
  /** Answers with a checkable claim. */
  nAnswers: count,
  nWithoutClaims: count,
});
/**
 * Precision of the claims of answers, checked against a source that the user gives. A contradicted claim counts as unsupported. An answer without checkable claims is counted, not scored.
 *
 * @example
 * ```ts
 * claimPrecision([{ claims: ['supported', 'unsupported'] }, { claims: [] }]).pooled // => 0.5
 * ```
 */
export function claimPrecision(
  answers: readonly { readonly claims: readonly ClaimVerdict[] }[],
): Shape<typeof claimPrecisionSchema> {
  const checked = answers
    .map(({ claims }) => claims.filter((claim) => claim !== 'not_checkable'))
    .filter((claims) => claims.length > 0);
  const nClaims = checked.reduce((sum, claims) => sum + claims.length, 0);
  const count = (wanted: ClaimVerdict) =>
    checked.reduce((sum, claims) => sum + claims.filter((claim) => claim === wanted).length, 0);
  const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  const own = checked.map((claims) => claims.filter((claim) => claim === 'supported').length / claims.length);
  return {
    pooled: share(count('supported'), nClaims),
    meanOfAnswers: mean(own),
    answersWithUnsupported: share(
      checked.filter((claims) => claims.some((claim) => claim !== 'supported')).length,
      checked.length,
    ),
    contradictedShare: share(count('contradicted'), nClaims),
    nClaims,
    nAnswers: checked.length,
    nWithoutClaims: answers.length - checked.length,
  };
}

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

const TEMPLATE = createTemplate([TEXT.claims.system.join('\n')], [TEXT.claims.user.join('\n')]);

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
}: Pick<JudgeQuestion, 'question' | 'answer' | 'items'> & { readonly source: ClaimSource }): TextRequest {
  const lines = items.map(({ instruction }) => JSON.stringify(instruction)).join('\n');
  const untrusted = { question, answer, source: source.text };
  return fillPrompt(TEMPLATE, SCHEMA, Object.values(untrusted), { ...untrusted, items: lines || '(none)' });
}

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
export function parseClaims(
  text: string,
  answer: string,
  source: ClaimSource,
): Parsed<{ readonly claims: readonly Claim[] }> {
  const found = judgeObject(text, answer, { keys: ['claims'], partKeys: ['claim'], decisions: decisionsIn });
  if (!found.ok) return { ok: false, reason: `unreadable_${found.reason}` };
  const entries = readOwn(found.value, 'claims');
  if (!Array.isArray(entries)) return { ok: false, reason: 'no_claims' };
  const claims: Claim[] = [];
  for (const entry of entries as readonly Partial<Record<keyof Claim, unknown>>[]) {
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
