import { argumentError, KrisisError } from '../../core/index.ts';
import { type Judge, judgeConfig } from '../../models/index.ts';
import type { ClaimSource } from '../../rubrics/index.ts';
import type { Run } from '../../store/index.ts';

/** A judge with the configuration under which its judgements are stored. */
export interface SeatedJudge {
  readonly judge: Judge;
  /** The hash of its identity. */
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

/** The judges of a session, each with its configuration in this run. */
export function seatJudges(judges: readonly Judge[]): SeatedJudge[] {
  return judges.map((judge) => ({ judge, config: judgeConfig(judge) }));
}

/** Whether the run was last judged by these judges, in as many passes. */
export function isLastJury(
  { judgeConfigs, judgePasses }: Run,
  judges: readonly SeatedJudge[],
  passes: number,
): boolean {
  return judgePasses === passes && (judgeConfigs ?? []).join() === judges.map(({ config }) => config).join();
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
