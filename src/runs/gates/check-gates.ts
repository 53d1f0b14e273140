import { basename } from 'node:path';
import { clusterKey } from '../../analyses/comparison/pair-clusters.ts';
import { type ScoredRun, scoredRun } from '../../analyses/comparison/scored-run.ts';
import { earlyVerdicts } from '../../analyses/early-stop/early-verdicts.ts';
import { nUnscoredItems } from '../../analyses/judging/judge-ledger.ts';
import { disagreementText, judgeStanding } from '../../analyses/judging/judge-standing.ts';
import { isJudged } from '../../analyses/judging/judged-result.ts';
import type { Judging } from '../../analyses/judging/judging.ts';
import { comparableScores } from '../../analyses/judging/question-scores.ts';
import { scoringJudges } from '../../analyses/judging/scoring-judges.ts';
import { safeName } from '../../analyses/judging/trait-scores.ts';
import { checkFunction } from '../../analyses/registry.ts';
import { KrisisError } from '../../core/errors.ts';
import type { Label } from '../../core/label.ts';
import type { Score } from '../../core/score.ts';
import { usualEndpoint } from '../../metrics/act/leading-scores.ts';
import { neededKeys } from '../../metrics/define-metric.ts';
import type { Metric } from '../../metrics/metric.ts';
import { extendedMetrics } from '../../metrics/registry.ts';
import type { Scorecard } from '../../metrics/score.ts';
import { LEXICAL_JUDGE } from '../../models/judge.ts';
import { DEFAULT_SEED } from '../../statistics/score-options.ts';
import { fileIdentity } from '../../store/file-names.ts';
import { RunFile } from '../../store/run-file.ts';
import { aboutRun, saysHowToAct, withActLabels } from '../about-run.ts';
import { isCorrected } from '../conditions/expression.ts';
import type { GateVerdict } from '../conditions/verdict.ts';
import { type GatePlan, hasConditions } from '../conditions/verdict.ts';
import { cachedRepliesText, readExtras } from '../execution.ts';
import { readRun } from '../read-run.ts';
import { refuseShards } from '../refuse-shards.ts';
import type { RunResult } from '../run-result.ts';
import { runTableOptions, scoringFor } from '../scoring-for.ts';
import { requireProof } from '../unproven-file.ts';
import { checkGate } from './check-gate.ts';
import { warnEachGate } from './gate-warnings.ts';
import { checkNonInferiority, checkTraitNonInferiority, type Margin } from './non-inferiority.ts';

/** Whether a run meets the conditions. `ownMetrics` are metrics beside the built-in ones. A run file that is not verified decides none, nor do answers that were given before. */
export function checkGates(
  plan: GatePlan,
  shown: RunResult,
  ownMetrics: readonly Metric[] = [],
): GateVerdict[] {
  const { gates, nonInferior, publicKey } = plan;
  const result = hasConditions(plan) ? fromRows(shown) : shown;
  // Before its rows are read.
  const baseline = nonInferior && {
    path: nonInferior.baseline,
    fileIdentity: fileIdentity(nonInferior.baseline),
  };
  const verdicts = withoutStaleAnswers(checkPlan(plan, result, ownMetrics), plan, result);
  return [
    ...requireProof(verdicts.slice(0, gates.length), [result], publicKey),
    ...requireProof(
      verdicts.slice(gates.length),
      [result, ...(baseline === null ? [] : [baseline])],
      publicKey,
    ),
  ];
}

/** The run scored from its rows: no condition rests on the report that a file keeps. */
function fromRows(shown: RunResult): RunResult {
  const { path, numbersFrom, fileIdentity: read } = shown;
  if (numbersFrom === 'rows' || path === null) return shown;
  // Proof is asked of the file whose numbers are shown.
  return Object.assign(readRun(path), { fileIdentity: read });
}

function checkPlan(plan: GatePlan, result: RunResult, ownMetrics: readonly Metric[]): GateVerdict[] {
  const { card, stopEarly } = result;
  if (hasConditions(plan)) refuseShards([result]);
  if (stopEarly !== null) return earlyVerdicts(plan, stopEarly, warnEachGate(plan.gates, card));
  const { analyse, suiteName, baselines } = result;
  const about = { card, analyse, suiteName, baselines };
  if (plan.nonInferior !== null) checkBaselineSuite(plan, result.suiteHash);
  if (isJudged(result))
    return [
      ...checkJudged(plan, about, result.judging),
      ...(plan.nonInferior === null ? [] : [checkTrait(plan, plan.nonInferior, result)]),
    ];
  if (plan.nonInferior === null) return checkRows(plan, about);
  return checkRows(plan, {
    ...about,
    metrics: [...listMetrics(result), ...ownMetrics],
    primaryEndpoint: result.primaryEndpoint?.metric ?? null,
    rows: (keep) => scoredRun(result.rows(), { ...runTableOptions(result), keep }),
    baseline: (keep) => rowsOfRun(plan.nonInferior!.baseline, keep, result.task?.actLabels),
  });
}

/** Whether judged answers meet the conditions, as far as their judge can be relied on. */
function checkJudged(plan: GatePlan, rows: GatedRows, judging: Judging): GateVerdict[] {
  return checkRows(plan, rows).map((verdict, g) => {
    const { metric: name } = plan.gates[g]!;
    const missing = { name, value: null, ...(isCorrected(name) && { judged: 'corrected' as const }) };
    const score = rows.card.scores.find((each) => each.name === name) ?? missing;
    return underJudge(verdict, score, judging, plan.allowUncalibratedJudge === true);
  });
}

/** Scored rows, and what non-inferiority needs of them: metrics to choose from, and the rows of both runs. */
export interface GatedRows {
  readonly card: Scorecard;
  /** Default: the rows belong to no suite. */
  readonly suiteName?: string;
  /** Default: no baseline is known. */
  readonly baselines?: RunResult['baselines'];
  readonly metrics?: readonly Metric[];
  readonly primaryEndpoint?: string | null;
  /** Analyses the rows. Default: conditions on numbers of analyses are undecided. */
  readonly analyse?: RunResult['analyse'];
  /** Called where two runs have to be paired; `keep` names the metadata keys that are read. */
  readonly rows?: (keep: readonly string[]) => ScoredRun;
  readonly baseline?: (keep: readonly string[]) => ScoredRun;
}

/** Whether scored rows meet the conditions. */
export function checkRows(
  plan: GatePlan,
  { card, metrics = [], primaryEndpoint, analyse, rows, baseline, suiteName, baselines }: GatedRows,
): GateVerdict[] {
  const warnings = warnEachGate(plan.gates, card, { metrics, suiteName, baselines });
  const verdicts = plan.gates.map((gate, g) => ({
    ...(gate.numbers === undefined
      ? checkGate(gate, card)
      : checkFunction(gate, plan.gates, card.ledger, analyse)),
    ...warnings[g],
  }));
  if (plan.nonInferior === null || rows === undefined || baseline === undefined) return verdicts;
  const hasValue = (name: string) => card.scores.some((score) => score.name === name && score.value !== null);
  const metric = chooseMetric(plan.nonInferior.metric ?? primaryEndpoint ?? null, hasValue, metrics);
  const cluster = clusterKey(card.method);
  const keep = neededKeys([metric], cluster === undefined ? {} : { cluster });
  const options = { metric, cluster, ...readMargin(plan.nonInferior, card.method.level) };
  return [...verdicts, ...checkNonInferiority(rows(keep), baseline(keep), options)];
}

function readMargin({ margin, baseline }: NonNullable<GatePlan['nonInferior']>, level: number): Margin {
  return { margin, baselineName: basename(baseline), resamples: 2000, seed: DEFAULT_SEED, level };
}

function checkTrait(
  whole: GatePlan,
  plan: NonNullable<GatePlan['nonInferior']>,
  { judging, method, card }: RunResult,
): GateVerdict {
  const baseline = readRun(plan.baseline, { resamples: 0 });
  const scores = comparableScores(judging!);
  const score = scores.find(({ name }) => safeName(name) === plan.metric);
  if (score === undefined || !isJudged(baseline))
    throw new KrisisError(
      `non-inferiority on open questions needs a score that is a mean over questions: ${scores.map(({ name }) => safeName(name)).join(', ')}`,
      { value: plan.metric, code: 'ERR_NON_INFERIORITY_METRIC' },
    );
  const isComplete = [judging!, baseline.judging].every(
    ({ judge, answers }) =>
      nUnscoredItems(judge.ledger) === 0 &&
      answers.every(
        ({ abstained, abstainedReason, state }) =>
          abstained !== null || abstainedReason === 'not_asked' || state === 'refused',
      ),
  );
  const verdict = checkTraitNonInferiority(score, judging!, baseline.judging, {
    ...readMargin(plan, method.level),
    isComplete,
  });
  const gated = card.scores.find(({ name }) => name === safeName(score.name));
  if (gated === undefined) return verdict;
  // The same judge may be refuted on the answers of one run, and not on those of the other.
  const verdicts = [judging!, baseline.judging].map((each) =>
    underJudge(verdict, gated, each, whole.allowUncalibratedJudge === true),
  );
  return (
    verdicts.find(({ status }) => status === 'undecided') ??
    verdicts.find(({ warning }) => warning) ??
    verdict
  );
}

/** The rows of a run file, without scoring it. `actLabels` are for a run that does not say itself how its answers call for action. */
export function rowsOfRun(
  path: string,
  keep: readonly string[],
  actLabels?: readonly Label[] | null,
): ScoredRun {
  return RunFile.use(path, (file) => {
    const manifest = file.manifest();
    const about = aboutRun(manifest, file);
    const stated = saysHowToAct(about) ? undefined : (actLabels ?? undefined);
    const options = { ...runTableOptions(withActLabels(about, stated, path)), keep };
    return scoredRun(file.rows.read({ all: true, nRepeats: manifest.identity.repeats }), options);
  });
}

/** Refuses a baseline of another suite; a run can check it before its first call. */
export function checkBaselineSuite({ nonInferior }: GatePlan, suiteHash: string | null): void {
  if (nonInferior === null) return;
  const theirs = RunFile.use(nonInferior.baseline, (file) => file.manifest().identity.suiteHash);
  if (theirs !== null && theirs === suiteHash) return;
  throw new KrisisError(
    `${nonInferior.baseline}: cannot be the baseline of a non-inferiority test, for the cases of the two runs are not known to be the same (suite hash ${suiteHash ?? 'unknown'} here, ${theirs ?? 'unknown'} there)`,
    { value: nonInferior.baseline, code: 'ERR_DIFFERENT_SUITES' },
  );
}

/** The metric of non-inferiority: as `wanted`, else decision accuracy where it has a value, else accuracy. */
export function chooseMetric(
  wanted: string | null,
  hasValue: (name: string) => boolean,
  metrics: readonly Metric[],
): Metric {
  const name = wanted ?? usualEndpoint(hasValue);
  const metric = metrics.find((candidate) => candidate.name === name);
  if (metric === undefined)
    throw new KrisisError(
      `non-inferiority on ${name}: it cannot be computed from rows; choose another metric`,
      { value: name, code: 'ERR_NON_INFERIORITY_METRIC' },
    );
  return metric;
}

/** Every metric that can be computed on the rows of a run. */
export function listMetrics({ task }: Pick<RunResult, 'task'>): readonly Metric[] {
  return extendedMetrics(task === null ? {} : scoringFor(task));
}

/**
 * The outcome of a condition on a judged score: undecided where its judge cannot be relied on, with the reason. `score` is what the condition is about; a condition on anything else stays as it is.
 */
function underJudge(
  verdict: GateVerdict,
  score: Pick<Score, 'name' | 'judged' | 'value'>,
  judging: Pick<Judging, 'judge' | 'jury'>,
  allowUncalibrated: boolean,
): GateVerdict {
  if (score.judged === undefined) return verdict;
  const { gate, reason, judge } = judgeStanding(judging.judge, {
    score: score.judged,
    correctedAvailable: score.judged === 'corrected' && score.value !== null,
    allowUncalibrated,
  });
  if (gate === 'undecided') {
    const why =
      reason === 'judge_refuted'
        ? `, but ${disagreementText(judging.judge)}: only scores corrected by their labels decide`
        : reason === 'judge_not_calibrated'
          ? `, but the judge is not calibrated: have people label some of its verdicts`
          : '';
    return { ...verdict, status: 'undecided', message: `${verdict.message}${why}`, reason: reason! };
  }
  if (score.judged === 'corrected' || judge === 'calibrated') return verdict;
  const isLexical = scoringJudges(judging).some(({ judge: name }) => name === LEXICAL_JUDGE.name);
  const warnings = [
    ...(verdict.warning === undefined ? [] : [verdict.warning]),
    'the judge is not calibrated, and was accepted as it is',
    ...(isLexical ? [`${LEXICAL_JUDGE.name} looks for words and passes dangerous answers`] : []),
  ];
  return { ...verdict, warning: warnings.join('; ') };
}

/** Why answers say nothing about the model as it is now. */
interface Staleness {
  readonly reason: NonNullable<GateVerdict['reason']>;
  readonly text: string;
}

const ASKS_AGAIN = 'a new run (--new) asks again';

/** Conditions are about the model as it is now: none is decided by answers that were given before, whether they meet it or not. A run that was read from its file is meant as it is stored. */
function withoutStaleAnswers(
  verdicts: readonly GateVerdict[],
  plan: GatePlan,
  result: Pick<RunResult, 'nothingAsked' | 'extras'>,
): readonly GateVerdict[] {
  if (verdicts.length === 0) return verdicts;
  const own = staleness(result);
  const baseline =
    own === null && plan.nonInferior !== null ? staleBaseline(plan.nonInferior.baseline) : null;
  return verdicts.map((verdict, v) => {
    const stale = v < plan.gates.length ? own : (own ?? baseline);
    if (stale === null) return verdict;
    const message = `${verdict.message}, but ${stale.text}: ${ASKS_AGAIN}`;
    return { ...verdict, status: 'undecided', message, reason: stale.reason };
  });
}

function staleness({ nothingAsked, extras }: Pick<RunResult, 'nothingAsked' | 'extras'>): Staleness | null {
  if (nothingAsked)
    return {
      reason: 'nothing_asked',
      text: 'nothing was asked, and every answer is from an earlier start of this run',
    };
  const text = cachedRepliesText(extras);
  return text === null ? null : { reason: 'cached_replies', text };
}

/** The difference from a baseline rests on its replies as well. */
function staleBaseline(path: string): Staleness | null {
  const extras = RunFile.use(path, (file) => {
    const manifest = file.manifest();
    return readExtras(file, manifest, { repeats: manifest.identity.repeats, promptModes: [] });
  });
  const text = cachedRepliesText(extras);
  return text === null ? null : { reason: 'cached_replies', text: `in ${basename(path)} ${text}` };
}
