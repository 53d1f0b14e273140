import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { type Claim, claimPrecision, claimPrecisionSchema } from '../../rubrics/judge/claims.ts';
import { claimsJudge } from '../../store/judgements.ts';
import type { Run } from '../../store/run.ts';
import type { RunFile } from '../../store/run-file.ts';
import type { Judgements } from './stored-judgements.ts';

export const claimReportSchema = claimPrecisionSchema.extend({
  /** What they were checked against: there is no precision of claims without it. */
  source: z.object({ name: z.string(), sha256: z.string() }),
  /** Who listed and checked them. */
  judge: z.string(),
  /** Answers whose claims could not be listed: in no number. */
  nFailed: count,
  answers: z.array(
    z.object({ id: z.string(), repeat: z.number(), claims: z.array(z.custom<Partial<Claim>>()) }),
  ),
});
/** The claims that were checked against the source that was given last; null where none was. */
export function claimReport(
  file: RunFile,
  { claimsSource: source, judgeConfigs, judges }: Run,
  { findName }: Pick<Judgements, 'findName'>,
): Shape<typeof claimReportSchema> | null {
  if (source === null) return null;
  const config = judgeConfigs?.[0] ?? '';
  const judge = judges?.filter((entry) => entry.config === config).at(-1)?.judge;
  if (judge === undefined) return null;
  const stored = [...file.judgements.read()].filter(
    (given) => given.judge === claimsJudge(judge, source.sha256) && given.config === config,
  );
  const answers = stored.flatMap(({ recordId: id, repeat, outcome }) => {
    const { claims } = outcome as { readonly claims: readonly Claim[] | null };
    return claims === null ? [] : [{ id, repeat, claims }];
  });
  return {
    ...claimPrecision(answers.map(({ claims }) => ({ claims: claims.map(({ verdict }) => verdict) }))),
    source,
    judge: findName(judge, config),
    nFailed: stored.length - answers.length,
    answers,
  };
}
