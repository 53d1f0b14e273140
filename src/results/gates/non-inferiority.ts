import { KrisisError } from '../../core/index.ts';
import type { Metric } from '../../metrics/index.ts';
import { pairedBootstrap } from '../../statistics/index.ts';
import { compareEndpoints } from '../compare/compare-endpoint.ts';
import { type Endpoint, endpointFor } from '../compare/endpoints.ts';
import { type LeftOut, pairRecords } from '../compare/pair-records.ts';
import type { ScoredRun } from '../compare/scored-run.ts';
import type { EndpointFinding, PairOptions } from '../compare/test-pairs.ts';
import { compareScore } from '../questions/compare-score.ts';
import type { Judging } from '../questions/judging.ts';
import type { ComparableScore } from '../questions/question-scores.ts';
import { possibleScores } from './possible-scores.ts';
import type { GateVerdict } from './verdict.ts';

export interface Margin extends PairOptions {
  /** How much worse is still tolerated, on the scale of the metric. */
  readonly margin: number;
  /** What the verdict calls the baseline. */
  readonly baselineName: string;
}

export interface NonInferiorityOptions extends Margin {
  readonly metric: Metric;
}

type Range = readonly [number, number];

/**
 * Whether a model is shown to be no worse than a baseline by more than a margin, on the records that both have scored: the whole interval of the difference has to lie on the right side
 * of the margin. An interval that crosses it fails, for then it is not shown. Rows that failed are tried as all bad and as all good; when that changes the answer, it is undecided.
 */
export function checkNonInferiority(
  model: ScoredRun,
  baseline: ScoredRun,
  options: NonInferiorityOptions,
): GateVerdict {
  const { metric } = options;
  const better = checkDirection(metric.name, metric.better ?? null, options);
  const endpoint = endpointFor(metric);
  const pairing = pairRecords(baseline, model);
  if (pairing.leftOut.truthDiffers > 0)
    throw new KrisisError(
      `non-inferiority to ${options.baselineName}: ${pairing.leftOut.truthDiffers} records have another truth there under the same id, so the records are not the same`,
      { value: options.baselineName, code: 'ERR_DIFFERENT_SUITES' },
    );
  const finding = compareEndpoints(pairing, options, [endpoint])[0]!;
  const isComplete = nUnscored(pairing.leftOut, model, baseline) === 0;
  const extremes = (): readonly Range[] | null =>
    endpoint.rowScore === null
      ? null
      : [
          extremeInterval(model, baseline, endpoint, options, 'least'),
          extremeInterval(model, baseline, endpoint, options, 'most'),
        ];
  return verdictOn(finding, better, options, {
    name: metric.name,
    paired: `${pairing.n} records`,
    open: isComplete ? null : { because: 'rows failed or never ran', extremes },
  });
}

/** The same on a score of open questions, question by question. Unscored items leave it undecided: how far they could move the difference is not known. */
export function checkTraitNonInferiority(
  score: ComparableScore,
  model: Judging,
  baseline: Judging,
  options: Margin & { readonly isComplete: boolean },
): GateVerdict {
  const better = checkDirection(score.name, score.better, options);
  const finding = compareScore(score, baseline, model, options);
  return verdictOn(finding, better, options, {
    name: score.name,
    paired: `${finding.n} questions`,
    open: options.isComplete ? null : { because: 'rows or items are unscored', extremes: () => null },
  });
}

function checkDirection(
  name: string,
  better: 'higher' | 'lower' | null,
  { margin }: Margin,
): 'higher' | 'lower' {
  if (!(margin > 0 && Number.isFinite(margin)))
    throw new KrisisError(`the margin is ${margin}; expected a number above 0, such as 0.02`, {
      value: margin,
      code: 'ERR_GATE_INVALID',
    });
  if (better !== null) return better;
  throw new KrisisError(
    `non-inferiority on ${name}: neither more nor less of it is better; choose another metric`,
    { value: name, code: 'ERR_NON_INFERIORITY_METRIC' },
  );
}

interface Evidence {
  readonly name: string;
  /** What was paired, in words. */
  readonly paired: string;
  /** What is unscored, and the intervals it could lead to (null: not known); null where everything is scored. */
  readonly open: { readonly because: string; extremes(): readonly Range[] | null } | null;
}

function verdictOn(
  finding: EndpointFinding,
  better: 'higher' | 'lower',
  { margin, baselineName }: Margin,
  { name, paired, open }: Evidence,
): GateVerdict {
  const text = `non-inferior to ${baselineName} on ${name} by ${margin}`;
  const verdict = (status: GateVerdict['status'], message: string) => ({ text, status, message });
  if (finding.difference === null || finding.interval === null) {
    const why = (finding.reason ?? finding.intervalReason ?? 'undefined').replaceAll('_', ' ');
    return verdict('undecided', `${name} cannot be compared on ${paired} in both runs: ${why}`);
  }
  const judge = (interval: Range) => judgeInterval(interval, better, margin);
  const observed = judge([finding.interval.lower, finding.interval.upper]);
  const found = `${describe(finding)}: ${SENTENCES[observed](margin)}`;
  if (open === null) return verdict(statusOf(observed), found);
  const extremes = open.extremes();
  if (extremes === null)
    return verdict('undecided', `${found}; but ${open.because}, and how far they could move it is not known`);
  const [worst, best] = extremes.map((interval) => statusOf(judge(interval)));
  if (worst !== best)
    return verdict('undecided', `${found}; but ${open.because}, and what they might have been decides`);
  return verdict(best!, `${found}; ${open.because}, which cannot change it`);
}

type Judgement = 'shown' | 'not_shown' | 'inferior';

const SENTENCES: Readonly<Record<Judgement, (margin: number) => string>> = {
  shown: (margin) => `not worse by more than ${margin}`,
  inferior: (margin) => `worse by more than ${margin}`,
  not_shown: (margin) =>
    `that it is not worse by more than ${margin} is not shown; more records could show it`,
};

function judgeInterval([lower, upper]: Range, better: 'higher' | 'lower', margin: number): Judgement {
  // Signed so that more is better.
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

/** Rows that are missing on records of both runs; a record that only one run was asked about did not fail. */
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
