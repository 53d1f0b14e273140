import type { MetricScore } from '../../metrics/metric.ts';
import { whole } from '../../reports/charts/number-text.ts';
import { pairsForNonInferiority, rowsForGate } from '../../statistics/power.ts';
import type { Gate } from '../conditions/expression.ts';

/**
 * About how many cases show, with a chance of 80 %, that a model is not worse than another by more than a margin: if the two differ on a
 * share `discordant` of the cases, and the model is better by `difference`. Null where no number shows it.
 *
 * @example
 * ```ts
 * casesForMargin({ margin: 0.02, discordant: 0.1 }) // => 1963
 * casesForMargin({ margin: 0.02, discordant: 0.1, difference: -0.03 }) // => null
 * ```
 */
export function casesForMargin({
  margin,
  discordant,
  difference = 0,
  level,
}: {
  readonly margin: number;
  readonly discordant: number;
  readonly difference?: number;
  readonly level?: number | undefined;
}): number | null {
  const room = margin + difference;
  if (!(room > 0)) return null;
  return pairsForNonInferiority({
    margin: Math.min(1, room),
    discordantProportion: discordant,
    ...(level !== undefined && { level }),
  });
}

/** About how many cases would show that a bound meets its limit, if the value stays as it is; null where no number does, or where it is no bound of a share. */
export function casesForGate(
  { of, operator, limit }: Pick<Gate, 'of' | 'operator' | 'limit'>,
  { value, nSuccesses, interval }: Pick<MetricScore, 'value' | 'nSuccesses' | 'interval'>,
): number | null {
  if (value === null || nSuccesses == null || interval === null || of === 'value') return null;
  const isFloor = operator === '>=' || operator === '>';
  if (isFloor !== (of === 'lower') || !/[<>]/.test(operator)) return null;
  const turned = (share: number) => (isFloor ? share : 1 - share);
  return rowsForGate({ limit: turned(limit), expected: turned(value), level: interval.level });
}

/** `; about 1,900 cases would decide it`; empty where the number is not known. */
export function neededText(n: number | null, would: string): string {
  return n === null ? '' : `; about ${whole(n)} cases would ${would}`;
}
