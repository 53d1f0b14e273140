import { argumentError, canonicalJson, KrisisError } from '../../core/index.ts';
import { type Judge, judgeConfig, judgeIdentity } from '../../models/index.ts';
import type { ClaimSource } from '../../rubrics/index.ts';
import type { Manifest, RunFile } from '../../store/index.ts';

/** A judge with the configuration under which its judgements are stored. */
export interface SeatedJudge {
  readonly judge: Judge;
  /** The hash of its identity; empty where a run of an earlier version, which stored none, is continued by the same judge. */
  readonly config: string;
}

/** One judge, or those of a jury. Refuses an empty jury, and the same judge twice. */
export function juryOf(judge: Judge | readonly Judge[]): readonly Judge[] {
  const judges: readonly Judge[] = 'name' in judge ? [judge] : judge;
  if (judges.length === 0) throw argumentError('the jury has no judges; expected one or more', judges);
  const seen = new Set<string>();
  for (const one of judges) {
    const config = judgeConfig(one);
    if (seen.has(config))
      throw argumentError(
        `${one.name} is twice in the jury with the same settings; ask it in several passes instead`,
        one.name,
      );
    seen.add(config);
  }
  return judges;
}

/** The judges of a sitting, each with its configuration in this run. */
export function seatJudges(
  judges: readonly Judge[],
  store: Pick<RunFile, 'manifest' | 'promptsWithoutConfig'>,
): SeatedJudge[] {
  return judges.map((judge) => ({
    judge,
    config: isJudgeWithoutConfig(judge, store) ? '' : judgeConfig(judge),
  }));
}

/** Whether this very judge judged the run in a version that stored no configurations: same settings, same wording. */
function isJudgeWithoutConfig(
  judge: Judge,
  store: Pick<RunFile, 'manifest' | 'promptsWithoutConfig'>,
): boolean {
  const prompts = store.promptsWithoutConfig(judge.name);
  if (prompts === null) return false;
  const { judge: stored, judges } = store.manifest();
  const known = judges?.find(({ config, judge: name }) => config === '' && name === judge.name) ?? stored;
  if (known === null) return false;
  const { prompt_hash, ...now } = judgeIdentity(judge);
  const { prompt_hash: _, ...then } = judgeIdentity({ name: known.judge, backend: known });
  return canonicalJson(now) === canonicalJson(then) && prompts.every((hash) => hash === prompt_hash);
}

/** Whether the run was last judged by these judges, in as many passes. */
export function isLastJury(
  { judge_configs, judge, judge_passes }: Manifest,
  judges: readonly SeatedJudge[],
  passes: number,
): boolean {
  const last = judge_configs ?? (judge === null ? [] : ['']);
  return judge_passes === passes && last.join() === judges.map(({ config }) => config).join();
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
