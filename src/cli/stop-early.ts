import type { StopEarlyOptions } from '../analyses/early-stop/plan-early-stop.ts';
import { type GatePlan, hasConditions } from '../runs/conditions/gate-plan.ts';
import type { RunValues } from './options/run-options.ts';
import { usageError } from './usage-error.ts';

/** Ways to run in which no committed order of finished records can be looked at. */
const NOT_IN_ORDER = {
  bulk: 'a provider answers a bulk job in any order, hours later',
  shard: 'a shard has only a part of the records',
} as const;

/** How the runs stop early; undefined where they ask everything. */
export function stopEarlyOf(given: RunValues, plan: GatePlan, nModels: number): StopEarlyOptions | undefined {
  if (!given.stopEarly) {
    for (const [flag, value] of [
      ['--stop-early-alpha', given.stopEarlyAlpha],
      ['--claim', given.claim],
    ])
      if (value !== undefined) throw usageError(`${flag} belongs to --stop-early`);
    return undefined;
  }
  if (!hasConditions(plan))
    throw usageError(
      "--stop-early needs a condition to decide: --assert 'lower(accuracy) >= 0.9', or --non-inferior RUN --margin 0.02",
    );
  return { plan, claim: given.claim, alpha: given.stopEarlyAlpha, nModels };
}

/** Refuses ways to run in which early stopping cannot look at the records in their order. */
export function refuseOutOfOrder(given: RunValues): void {
  if (!given.stopEarly) return;
  const typed: Readonly<Record<string, unknown>> = given;
  for (const [option, why] of Object.entries(NOT_IN_ORDER))
    if (typed[option] !== undefined && typed[option] !== false)
      throw usageError(`--stop-early does not work with --${option}: ${why}`);
}
