import { isJudged, type JudgedResult } from '../analyses/judging/judged-result.ts';
import type { Scorecard } from '../metrics/score.ts';
import { joined, levelText } from '../reports/words.ts';
import type { RunResult } from './run-result.ts';

/** How the numbers were made, in a few sentences for a paper. */
export function methodText(report: RunResult): string {
  if (isJudged(report)) return questionMethod(report);
  return report.imported?.hasRows === false
    ? 'Values as published, without rows. Intervals: Wilson, from the published counts, for shares of rows, as if rows were independent; the others have none. How many rows a stratum has follows from its published shares.'
    : intervalMethod(report.card);
}

/** How the intervals were made. */
export function intervalMethod({ method, scores }: Pick<Scorecard, 'method' | 'scores'>): string {
  const ways = new Set(scores.flatMap(({ interval }) => interval?.method ?? []));
  const { cluster } = method;
  const unit =
    cluster === null
      ? 'cases'
      : cluster === 'call'
        ? 'calls, since several cases shared a prompt'
        : `clusters (${cluster})`;
  const stratified = method.stratified ? ' within each true class' : '';
  const bootstrap = joined([ways.has('bca') && 'BCa', ways.has('percentile') && 'percentile'], ' or ');
  const parts = joined([
    ways.has('wilson') && 'Wilson for shares',
    ways.has('anytime_valid') && 'anytime-valid for shares, since the run stopped early',
    ways.has('wilson_effective_t') &&
      'Wilson on cases divided by the design effect, with t, for shares over clusters',
    ways.has('review') &&
      'prediction-powered inference with a jackknife over cases for scores that people checked',
    ways.has('wilson_clusters') && 'Wilson over clusters where all agree',
    bootstrap &&
      `${bootstrap} bootstrap over ${unit}${stratified} for the others (${method.resamples} resamples, seed ${method.seed}, ${method.generator})`,
  ]);
  const without = scores.some(({ intervalReason }) => intervalReason === 'no_valid_interval')
    ? ' Calibration errors have no valid interval: they are read against their noise floor.'
    : '';
  const stopped = scores.some(({ intervalReason }) => intervalReason === 'not_valid_after_early_stop')
    ? ' The other scores have none: a fixed-size interval after an early stop is not valid.'
    : '';
  return `${parts === null ? 'No intervals.' : `${levelText(method.level)} intervals: ${parts}.`}${without}${stopped}`;
}

function questionMethod({ method, repeats, judging: { jury } }: JudgedResult): string {
  const bootstrap =
    method.resamples === 0
      ? 'no bootstrap'
      : `BCa or percentile bootstrap over questions (${method.resamples} resamples, seed ${method.seed}, ${method.generator})`;
  return [
    'One verdict per instruction, counted by instruction; a quote counts only if it is found in the answer.',
    `${levelText(method.level)} intervals: Wilson for shares of items of one answer and of questions, ${bootstrap} for the others; Wilson over questions where all agree.`,
    'Bounds: the values that unscored items could have led to.',
    ...(repeats > 1 ? ['Several answers to one question count as one question.'] : []),
    jury === null
      ? 'Pass 1 of the judge is scored.'
      : 'The majority of the jury is scored; the passes of each judge are settled first.',
  ].join(' ');
}
