import { z } from 'zod';
import { count, type Shape } from '../../core/index.ts';
/** What a source says of a claim. */
export type ClaimVerdict = 'supported' | 'unsupported' | 'contradicted' | 'not_checkable';

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
/** How far the claims of answers are supported by a source. */
export type ClaimPrecision = Shape<typeof claimPrecisionSchema>;

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
): ClaimPrecision {
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
    meanOfAnswers: share(
      own.reduce((sum, value) => sum + value, 0),
      own.length,
    ),
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
