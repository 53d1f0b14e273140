import { KrisisError } from '../../core/index.ts';
import type { Metric } from '../../metrics/index.ts';
import { pairedBootstrap } from '../../statistics/index.ts';
import { compareEndpoints, type EndpointFinding, type PairOptions } from '../compare/compare-endpoint.ts';
import { type Endpoint, endpointFor } from '../compare/endpoints.ts';
import { type LeftOut, pairRecords } from '../compare/pair-records.ts';
import type { ScoredRun } from '../compare/scored-run.ts';
import { possibleScores } from './possible-scores.ts';
import type { GateVerdict } from './verdict.ts';

export interface NonInferiorityOptions extends PairOptions {
  readonly metric: Metric;
  /** How much worse is still tolerated, on the scale of the metric. */
  readonly margin: number;
  /** What the verdict calls the baseline. */
  readonly baselineName: string;
}

type Range = readonly [number, number];

/**
 * Whether a model is shown to be no worse than a baseline by more than a margin, on the records that both have scored: the whole interval of
 * the difference has to lie on the right side of the margin. An interval that crosses it fails, for then it is not shown. Rows that failed
 * are tried as all bad and as all good; when that changes the answer, it is undecided.
 */
export function checkNonInferiority(
  model: ScoredRun,
  baseline: ScoredRun,
  options: NonInferiorityOptions,
): GateVerdict {
  const { metric, margin, baselineName } = options;
  const { better = null } = metric;
  if (better === null)
    throw new KrisisError(
      `--non-inferior on ${metric.name}: neither more nor less of it is better; choose another metric with --on`,
      { value: metric.name, code: 'ERR_USAGE' },
    );
  if (!(margin > 0 && Number.isFinite(margin)))
    throw new KrisisError(`--margin is ${margin}; expected a number above 0, such as 0.02`, {
      value: margin,
      code: 'ERR_USAGE',
    });
  const endpoint = endpointFor(metric);
  const text = `non-inferior to ${baselineName} on ${metric.name} by ${margin}`;
  const verdict = (status: GateVerdict['status'], message: string) => ({ text, status, message });
  const pairing = pairRecords(baseline, model);
  if (pairing.leftOut.truthDiffers > 0)
    throw new KrisisError(
      `--non-inferior ${baselineName}: ${pairing.leftOut.truthDiffers} records have another truth there under the same id, so the records are not the same`,
      { value: baselineName },
    );
  const finding = compareEndpoints(pairing, options, [endpoint])[0]!;
  if (finding.difference === null || finding.interval === null) {
    const why = (finding.reason ?? finding.intervalReason ?? 'undefined').replaceAll('_', ' ');
    return verdict(
      'undecided',
      `${metric.name} cannot be compared on ${pairing.n} records in both runs: ${why}`,
    );
  }
  const judge = (interval: Range) => judgeInterval(interval, better, margin);
  const observed = judge([finding.interval.lower, finding.interval.upper]);
  const found = `${describe(finding)}: ${SENTENCES[observed](margin)}`;
  if (nUnscored(pairing.leftOut, model, baseline) === 0) return verdict(statusOf(observed), found);
  const because = 'rows failed or never ran';
  if (endpoint.rowScore === null)
    return verdict('undecided', `${found}; but ${because}, and how far they could move it is not known`);
  const worst = judge(extremeInterval(model, baseline, endpoint, options, 'least'));
  const best = judge(extremeInterval(model, baseline, endpoint, options, 'most'));
  if (statusOf(worst) !== statusOf(best))
    return verdict('undecided', `${found}; but ${because}, and what they might have been decides`);
  return verdict(statusOf(best), `${found}; ${because}, which cannot change it`);
}

type Judgement = 'shown' | 'not_shown' | 'inferior';

const SENTENCES: Readonly<Record<Judgement, (margin: number) => string>> = {
  shown: (margin) => `not worse by more than ${margin}`,
  inferior: (margin) => `worse by more than ${margin}`,
  not_shown: (margin) => `that it is not worse by more than ${margin} is not shown; more records would tell`,
};

function judgeInterval([lower, upper]: Range, better: 'higher' | 'lower', margin: number): Judgement {
  // Turned so that more is better.
  const [least, most] = better === 'higher' ? [lower, upper] : [-upper, -lower];
  if (least > -margin) return 'shown';
  return most < -margin ? 'inferior' : 'not_shown';
}

function statusOf(judgement: Judgement): GateVerdict['status'] {
  return judgement === 'shown' ? 'pass' : 'fail';
}

function describe({ difference, interval, n }: EndpointFinding): string {
  const signed = (value: number) => `${value > 0 ? '+' : ''}${value.toFixed(3)}`;
  return `difference ${signed(difference!)} (${signed(interval!.lower)} to ${signed(interval!.upper)}, n ${n})`;
}

/** Rows that are missing on records of both runs; a record that only one run was asked about is nobody's failure. */
function nUnscored(leftOut: LeftOut, model: ScoredRun, baseline: ScoredRun): number {
  const whole =
    leftOut.failedInBaseline + leftOut.failedInModel + leftOut.notRunInBaseline + leftOut.notRunInModel;
  const partly = [model, baseline].some(({ unscored, table }) =>
    table.scored.record.values.some((id) => unscored.has(id)),
  );
  return whole + (partly ? 1 : 0);
}

/** The interval, had the missing rows made the difference as small, or as large, as they could. */
function extremeInterval(
  model: ScoredRun,
  baseline: ScoredRun,
  endpoint: Endpoint,
  { resamples, seed, level }: PairOptions,
  which: 'least' | 'most',
): Range {
  const theirs = possibleScores(model, endpoint);
  const ours = possibleScores(baseline, endpoint);
  const ids = [...theirs.keys()].filter((id) => ours.has(id)).sort();
  const other = which === 'least' ? 'most' : 'least';
  const scores = ids.map((id) => theirs.get(id)![which]);
  const against = ids.map((id) => ours.get(id)![other]);
  return pairedBootstrap(scores, against, { resamples, seed, level })!.interval!;
}
