import { hash } from 'node:crypto';
import { oncePer } from '../../core/collections.ts';
import { argumentError, KrisisError } from '../../core/errors.ts';
import { type Judge, judgeConfig, judgeIdentity } from '../../models/judge.ts';
import type { ClaimSource } from '../../rubrics/judge/claims.ts';
import type { Run, RunUpdate } from '../../store/run.ts';
import type { Question } from '../../suites/questions/question-suite.ts';
import type { CallContext } from '../call-request.ts';
import type { Egress } from '../egress.ts';
import type { TextPolicy } from '../kept-reply.ts';
import type { SessionContext } from '../step.ts';

/** How answers are judged. */
export interface Judging {
  /** One judge, or the judges of a jury: each judges every answer by itself. */
  readonly judges: readonly Judge[];
  /** Where each judge's data go. */
  readonly judgeEgress: readonly (Egress | null)[];
  /** How often each judge reads each answer. */
  readonly passes: number;
  /** Whether the judges also fill the lists of the second protocol: beside the verdicts, for comparison with results of that protocol. */
  readonly buckets: boolean;
  /** What claims that match no item are checked against, by the first judge; null checks none. */
  readonly claims: ClaimSource | null;
  readonly seed: number;
  /** What may be stored of the judge's texts. */
  readonly policy: TextPolicy;
  /** The round of asking again that the session belongs to: judgements that failed in an earlier one are asked again. Null leaves them. */
  readonly round: number | null;
}

const configs = oncePer((judge: Judge) => ({ config: judgeConfig(judge) }));

/** The configuration under which a judge's judgements are stored: the hash of its identity. */
export function resolveConfig(judge: Judge): string {
  return configs(judge).config;
}

/** One judge, or those of a jury. Refuses an empty jury, and the same judge twice. */
export function resolveJury(judge: Judge | readonly Judge[]): readonly Judge[] {
  const judges: readonly Judge[] = 'name' in judge ? [judge] : judge;
  if (judges.length === 0) throw argumentError('the jury has no judges; expected one or more', judges);
  const seen = new Set<string>();
  for (const one of judges) {
    const config = resolveConfig(one);
    if (seen.has(config))
      throw argumentError(
        `${one.name} is twice in the jury with the same settings; ask it in several passes instead`,
        one.name,
      );
    seen.add(config);
  }
  return judges;
}

/** Whether the run was last judged by these judges, in as many passes. */
export function isLastJury({ judgeConfigs, judgePasses }: Run, { judges, passes }: Judging): boolean {
  return judgePasses === passes && (judgeConfigs ?? []).join() === judges.map(resolveConfig).join();
}

/** Refuses claims that nothing could be checked against, or that no model could list. */
export function checkClaims(source: ClaimSource | undefined, [first]: readonly Judge[]): void {
  if (source === undefined) return;
  if (source.text.trim() === '')
    throw new KrisisError(`${source.name}: the source is empty; claims could not be checked against it`, {
      code: 'ERR_PROMPT_INVALID',
      value: source.name,
    });
  if (first?.backend === null)
    throw new KrisisError(`${first.name} cannot list claims: it has no model that could be asked`, {
      code: 'ERR_JUDGE_WITHOUT_TEXT',
      value: first.name,
    });
}

/** How a judge is called; null for a judge without a model. */
export type FindContext = (judge: Judge) => CallContext | null;

/** How the judges of a session are called, until a signal stops the work on an answer: every model has one pace for all answers. */
export function judgeContexts(
  judges: readonly Judge[],
  contextFor: SessionContext['contextFor'],
): (stop: AbortSignal) => FindContext {
  const contexts = new Map(judges.map((judge) => [judge, judge.backend && contextFor(judge.backend)]));
  return (stop) => (judge) => {
    const context = contexts.get(judge) ?? null;
    return context && { ...context, signal: stop };
  };
}

/** What the manifest says of how a session judges these questions. */
export function judgingManifest(
  manifest: Run,
  { judges, judgeEgress: egress, passes, claims }: Judging,
  questions: readonly Question[],
): RunUpdate {
  const now = new Date().toISOString();
  // Who is asked now, and all that were ever asked, each with its settings.
  const known = new Map((manifest.judges ?? []).map((entry) => [`${entry.config} ${entry.judge}`, entry]));
  for (const [i, judge] of judges.entries()) {
    const config = resolveConfig(judge);
    const identity = describeIdentity(judge);
    const before = known.get(`${config} ${judge.name}`);
    known.set(`${config} ${judge.name}`, {
      config,
      ...identity,
      parameters: { ...identity.parameters },
      rules: judge.rules ?? null,
      maxOutputTokens: judge.maxOutputTokens ?? null,
      passes: Math.max(passes, before?.passes ?? 1),
      egress: egress[i] ?? null,
      firstAsked: before?.firstAsked ?? now,
      lastAsked: now,
    });
  }
  return {
    judge: describeIdentity(judges[0]!),
    judgeConfigs: judges.map(resolveConfig),
    judges: [...known.values()],
    judgePasses: passes,
    judgeEgress: egress.find((one) => one !== null) ?? null,
    ...(claims && { claimsSource: { name: claims.name, sha256: hash('sha256', claims.text) } }),
    ...rubricsManifest(questions, manifest),
  };
}

function describeIdentity(judge: Judge) {
  const { prompt_hash: promptHash, ...identity } = judgeIdentity(judge);
  return { ...identity, promptHash };
}

/** Rubrics by their hash, and which questions are judged by which, so that a run can be scored again without the file of questions. Adds to what the run already holds. */
export function rubricsManifest(
  questions: readonly Question[],
  earlier: Partial<Pick<Run, 'rubrics' | 'rubricsOf' | 'aliasesOf'>> = {},
): RunUpdate {
  const rubrics = { ...earlier.rubrics };
  const rubricsOf = { ...earlier.rubricsOf };
  const aliasesOf = { ...earlier.aliasesOf };
  for (const { id, rubric, aliases } of questions) {
    rubrics[rubric.hash] ??= rubric.toJSON();
    rubricsOf[id] = [...new Set([...(rubricsOf[id] ?? []), rubric.hash])];
    if (Object.keys(aliases).length > 0)
      aliasesOf[id] = Object.fromEntries(Object.entries(aliases).map(([item, ways]) => [item, [...ways]]));
  }
  return { rubrics, rubricsOf, aliasesOf };
}
