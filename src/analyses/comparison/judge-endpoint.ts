import { counted } from '../../core/wording.ts';
import type { EndpointComparison } from './comparison.ts';
import { type EndpointFinding, POWER } from './test-pairs.ts';

/**
 * What a finding comes to once the p-value is adjusted: better, worse, or no difference shown. The last is never worded as equality: the
 * sentence says what so many records could have shown.
 */
export function judgeEndpoint(
  finding: EndpointFinding,
  pHolm: number | null,
  {
    level,
    nModels,
    unit = 'record',
  }: { readonly level: number; readonly nModels: number; readonly unit?: string },
): EndpointComparison {
  const verdict = findVerdict(finding, pHolm, 1 - level);
  return { ...finding, pHolm, verdict, inWords: words({ ...finding, pHolm, verdict }, nModels, unit) };
}

function findVerdict(
  finding: EndpointFinding,
  pHolm: number | null,
  alpha: number,
): EndpointComparison['verdict'] {
  const { difference, interval, p, better } = finding;
  if (difference === null) return 'undefined';
  const shown =
    p === null ? excludesZero(interval) : pHolm !== null && pHolm <= alpha && intervalAgrees(finding);
  if (!shown || difference === 0) return 'no_difference_shown';
  if (better === null) return difference > 0 ? 'higher' : 'lower';
  return difference > 0 === (better === 'higher') ? 'better' : 'worse';
}

function excludesZero(interval: EndpointFinding['interval']): boolean {
  return interval !== null && (interval.lower > 0 || interval.upper < 0);
}

type Tested = Pick<EndpointFinding, 'interval' | 'nClusters' | 'mcnemarReason'>;

/** Whether the interval does not contradict a small p-value. Only that of a share of means can: see `isShareOfMeans`. */
export function intervalAgrees(finding: Tested): boolean {
  return !isShareOfMeans(finding) || excludesZero(finding.interval);
}

/**
 * Whether records have means over repeats, or scores in part, of a share. The interval is then wider than the sign-flip test, which has another statistic: a
 * difference counts as shown only where both agree.
 */
function isShareOfMeans({ interval, nClusters, mcnemarReason }: Tested): boolean {
  return (
    interval?.method === 'paired_score_clustered' &&
    (nClusters === null || mcnemarReason === 'repeats_differ')
  );
}

function words(found: Omit<EndpointComparison, 'inWords'>, nModels: number, unit: string): string {
  const { difference, interval, p, pHolm, n } = found;
  if (difference === null) return `cannot be compared: ${(found.reason ?? 'undefined').replaceAll('_', ' ')}`;
  const size = `${signed(difference, found.isShare)}${interval === null ? '' : ` (${signed(interval.lower, found.isShare, false)} to ${signed(interval.upper, found.isShare, false)})`}`;
  if (p === null) {
    if (interval === null) return `${size}; no interval (${found.intervalReason!.replaceAll('_', ' ')})`;
    return found.verdict === 'no_difference_shown'
      ? `no difference shown: ${size}, the interval includes 0`
      : `${found.verdict}: ${size}, the interval excludes 0`;
  }
  const test = `p ${pValue(p)}${nModels > 1 ? `, Holm ${pValue(pHolm!)}` : ''}`;
  if (found.verdict !== 'no_difference_shown') return `${found.verdict}: ${size}, ${test}`;
  if (!intervalAgrees(found) && pHolm! <= 1 - interval!.level)
    return `no difference shown: ${size}, the interval includes 0, although ${test}`;
  const detectable = found.minimumDetectableDifference;
  const records = counted(n, unit === 'record' ? 'case' : unit);
  const power = `${Math.round(POWER * 100)} %`;
  if (found.minimumDetectableReason === 'no_discordant_records')
    return `no difference seen: both score the same on each of ${records}; ${size}`;
  const limit =
    detectable === null
      ? `with ${records} no difference could have been shown at this rate of disagreement (power ${power})`
      : `with ${records} only a difference of ${signed(detectable, found.isShare).replace('+', '')} or more would be shown (power ${power})`;
  return `no significant difference: ${size}, ${test}; ${limit}`;
}

/** `+2.1 points` for shares, `+0.021` for everything else. */
function signed(value: number, isShare: boolean, withUnit = true): string {
  const text = isShare ? (value * 100).toFixed(1) : value.toFixed(3);
  const sign = value > 0 && Number(text) !== 0 ? '+' : '';
  const shown = Number(text) === 0 ? text.replace('-', '') : text;
  return `${sign}${shown}${isShare && withUnit ? ' points' : ''}`;
}

function pValue(p: number): string {
  return p < 0.0001 ? '< 0.0001' : `= ${p.toFixed(p < 0.01 ? 4 : 3)}`;
}
