import { type Claim, type ClaimPrecision, claimPrecision } from '../../rubrics/index.ts';
import { claimsJudge, type Manifest, type RunFile } from '../../store/index.ts';
import type { Judgements } from './stored-judgements.ts';

/** Claims of answers that match no item, checked against a source. */
export interface ClaimReport extends ClaimPrecision {
  /** What they were checked against: there is no precision of claims without it. */
  readonly source: { readonly name: string; readonly sha256: string };
  /** Who listed and checked them. */
  readonly judge: string;
  /** Answers whose claims could not be listed: in no number. */
  readonly nFailed: number;
  readonly answers: readonly {
    readonly id: string;
    readonly repeat: number;
    readonly claims: readonly Partial<Claim>[];
  }[];
}

interface StoredClaims {
  readonly claims: readonly Claim[] | null;
}

/** The claims that were checked against the source that was given last; null where none was. */
export function claimReport(
  file: RunFile,
  { claims_source: source, judge_configs, judges }: Manifest,
  { nameOf }: Pick<Judgements, 'nameOf'>,
): ClaimReport | null {
  if (source === null) return null;
  const config = judge_configs?.[0] ?? '';
  const judge = judges?.filter((entry) => entry.config === config).at(-1)?.judge;
  if (judge === undefined) return null;
  const stored = [...file.judgements.read()].filter(
    (given) => given.judge === claimsJudge(judge, source.sha256) && given.config === config,
  );
  const answers = stored.flatMap(({ recordId: id, repeat, outcome }) => {
    const { claims } = outcome as StoredClaims;
    return claims === null ? [] : [{ id, repeat, claims }];
  });
  return {
    ...claimPrecision(answers.map(({ claims }) => ({ claims: claims.map(({ verdict }) => verdict) }))),
    source,
    judge: nameOf(judge, config),
    nFailed: stored.length - answers.length,
    answers,
  };
}
