import { analysisWarnings } from '../analyses/registry.ts';
import type { Score } from '../core/score.ts';
import { counted } from '../core/wording.ts';
import type { Warning } from '../metrics/warning.ts';
import { collector, harmWarnings, warningsFor } from '../metrics/warnings.ts';
import { chiSquaredTail } from '../statistics/special-functions.ts';
import { cachedRepliesText } from './execution.ts';
import type { UnwarnedResult } from './run-result.ts';

/** Everything a reader must know before quoting a number of a run. */
export function runWarnings(run: UnwarnedResult): Warning[] {
  const ofAnalyses = analysisWarnings(run);
  if (run.judging !== null) return [...originWarnings(run), ...ofAnalyses];
  // What could harm a patient comes before what qualifies the numbers.
  const harms = harmWarnings(run.card);
  const others = scoreWarnings(run).filter(({ code }) => harms.every((harm) => harm.code !== code));
  return [...harms, ...originWarnings(run), ...ofAnalyses, ...labelWarnings(run), ...others];
}

/** Of a run that stopped early, records that it did not ask about are not missing, and no interval is a bootstrap. */
function scoreWarnings(run: UnwarnedResult): Warning[] {
  const { card, status } = run;
  if (status !== 'stopped_early') return warningsFor(card, { hasPrompt: hasPrompt(run) });
  const asked = { ...card, n: card.n - card.ledger.not_run };
  return warningsFor(asked, { hasPrompt: hasPrompt(run) }).filter(({ code }) => code !== 'clustered');
}

/** Rules, functions and recorded answers have no prompt that could be at fault. */
function hasPrompt({ execution, imported, recorded }: UnwarnedResult): boolean {
  return imported !== null || recorded !== null || (execution.nPromptsCaptured ?? 1) > 0;
}

/** Where the answers come from, and whether all of them are there. */
function originWarnings(run: UnwarnedResult): Warning[] {
  const { imported, recorded, shard, execution, status, stoppedBecause } = run;
  const { warnings, warn } = collector();
  if (run.reviewProblem !== null)
    warn(
      'review_unreadable',
      `The labels of people on this run cannot be read, and are in no number: ${run.reviewProblem}`,
    );
  const nExcluded = run.excluded?.records.length ?? 0;
  if (nExcluded > 0)
    warn(
      'records_excluded',
      `${counted(nExcluded, 'case')} that people found wrong ${nExcluded === 1 ? 'is' : 'are'} left out: compare only with results under the same list (suite version ${run.suiteHash?.slice(0, 12)}).`,
    );
  if (run.confidenceSource === 'repeats')
    warn(
      'confidence_from_repeats',
      `Confidence is the share of ${run.repeats} replies that agree, and the answer of a case is the label with the most votes: every score here is of that policy. It measures self-consistency, not truth.`,
    );
  if (run.confidenceSource === 'logprobs')
    warn(
      'confidence_from_logprobs',
      `Confidence is the probability of the label's tokens${run.parameters.reasoning === true ? ', after a text of reasoning that makes it close to 1' : ''}${run.parameters.structured_output === true ? ', among the labels that the schema allows' : ''}. It is not comparable with stated confidence.`,
    );
  if (imported !== null) {
    const rows = imported.hasRows
      ? ''
      : ' It came without its cases: only shares whose counts are published have intervals, and there is no paired comparison.';
    warn(
      'imported',
      `Imported from ${imported.source} (${imported.format}): this run was not made here.${rows}`,
    );
  }
  if (recorded !== null)
    warn(
      'recorded_answers',
      `The answers were recorded elsewhere (${recorded.source}): no model was asked here.`,
    );
  if (shard !== null)
    warn(
      'shard',
      `Part ${shard.index} of ${shard.of} of a run: scores are of this part alone. Merge all parts before you read them.`,
    );
  if (execution.simulated)
    warn(
      'simulated_model',
      'A simulated model: its answers are made up, and say nothing about any real one.',
    );
  const cached = cachedRepliesText(run.extras);
  if (cached !== null) warn('cached_replies', `${cached}: a new run (--new) asks again.`);
  if (status === 'waiting')
    warn(
      'incomplete',
      'The run waits for bulk jobs at the provider: scores are of the cases that are here. The same command takes in the rest.',
    );
  if (status === 'running')
    warn('incomplete', 'The run is still going on: scores are of the finished cases.');
  if (status === 'interrupted')
    warn('incomplete', 'The run was interrupted: scores are of the finished cases.');
  if (status === 'stopped')
    warn('stopped', `The run stopped (${stoppedBecause}); scores are of the finished cases.`);
  const mixed = mixedSettings(execution.callSettings);
  if (mixed !== null) warn('settings_mixed', `Calls of this run were made with different limits: ${mixed}.`);
  const differing = differingWorkers(execution.workers);
  if (differing !== null) warn('workers_differ', differing);
  if (execution.nSettledAtReserve)
    warn(
      'cost_at_reserve',
      `The cost contains the most that ${counted(execution.nSettledAtReserve, 'call')} can have cost: there was no reply, or none with token counts that can be true (whole numbers, enough for the texts sent and received, and not far above the limit).`,
    );
  if (execution.unsettledUsd)
    warn(
      'cost_unsettled',
      `Calls whose outcome is not known may have cost up to $${execution.unsettledUsd.toFixed(4)} more.`,
    );
  return warnings;
}

const LIMITS = {
  max_output_tokens: 'output tokens per case',
  timeout_seconds: 'seconds until a timeout',
  max_retries: 'retries',
} as const;

/** With fewer expected right or wrong answers than this, the test says nothing. */
const MIN_EXPECTED = 5;
const DIFFERENT = 0.01;

/** Workers that are said to serve the same model are right equally often; beyond chance they are not the same. */
function differingWorkers(workers: UnwarnedResult['execution']['workers']): string | null {
  const known = workers.filter(({ n_labelled }) => n_labelled > 0);
  const n = known.reduce((sum, { n_labelled }) => sum + n_labelled, 0);
  const right = known.reduce((sum, { n_right }) => sum + n_right, 0);
  const rarer = Math.min(right, n - right) / Math.max(1, n);
  if (known.length < 2 || known.some(({ n_labelled }) => n_labelled * rarer < MIN_EXPECTED)) return null;
  const share = right / n;
  const statistic = known.reduce(
    (sum, { n_labelled, n_right }) =>
      sum + (n_right - n_labelled * share) ** 2 / (n_labelled * share * (1 - share)),
    0,
  );
  const p = chiSquaredTail(statistic, known.length - 1);
  if (p > DIFFERENT) return null;
  const shares = known.map(({ worker, n_labelled, n_right }) => `${worker} ${n_right} of ${n_labelled}`);
  return `Workers are right more or less often than chance explains (p = ${p.toPrecision(2)}): ${shares.join(', ')}. Do they serve the same model?`;
}

/** The limits in which calls of a run differ, with how many calls had each; null where all had the same. */
function mixedSettings(used: UnwarnedResult['execution']['callSettings']): string | null {
  const differing = Object.entries(LIMITS).flatMap(([key, name]) => {
    const calls = new Map<number | null, number>();
    for (const { n_calls, ...settings } of used) {
      const value = settings[key as keyof typeof LIMITS];
      calls.set(value, (calls.get(value) ?? 0) + n_calls);
    }
    if (calls.size < 2) return [];
    const values = [...calls].map(([value, n]) => `${value ?? 'unknown'} in ${counted(n, 'call')}`);
    return [`${name} ${values.join(', ')}`];
  });
  return differing.length === 0 ? null : differing.join('; ');
}

function labelWarnings(run: UnwarnedResult): Warning[] {
  const { warnings, warn } = collector();
  const { execution, groups } = run;
  const batchSize = execution.batchSize ?? 1;
  if (batchSize > 1 && execution.promptModes.includes('batch') && (execution.nPromptsCaptured ?? 0) > 0)
    warn(
      'batch_coupling',
      `Cases were asked ${batchSize} at a time, so answers of a batch may depend on each other; publish runs with one case per call.`,
    );
  const origins = namesIn(run.suite.origins);
  if (origins.length > 1) {
    const how = groups.some(({ by }) => by === 'origin')
      ? 'publish the scores by origin, not the pooled one'
      : 'group by origin, and report each origin separately';
    warn('origins_pooled', `Cases of different origin (${origins.join(', ')}) are in one score: ${how}.`);
  }
  const straddling = boundsStraddle(run.scores[run.primaryEndpoint?.metric ?? '']);
  if (straddling !== null) warn('bounds_straddle', straddling);
  return warnings;
}

/** Where failed rows could move the primary endpoint further than chance could, its interval says too little. */
function boundsStraddle(score: Score | undefined): string | null {
  const { bounds, interval } = score ?? {};
  if (!score || !bounds || !interval) return null;
  if (bounds.upper - bounds.lower <= interval.upper - interval.lower) return null;
  const range = ({ lower, upper }: { lower: number; upper: number }) =>
    `${lower.toFixed(3)} to ${upper.toFixed(3)}`;
  return `Failed cases leave ${score.name} open from ${range(bounds)}, more than chance does (${range(interval)}): finish the run before claiming anything from it.`;
}

function namesIn(counts: unknown): string[] {
  return typeof counts === 'object' && counts !== null ? Object.keys(counts) : [];
}
