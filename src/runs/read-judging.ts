import { abstentionScores } from '../analyses/judging/abstention-scores.ts';
import { cardOf } from '../analyses/judging/card-of.ts';
import { claimReport } from '../analyses/judging/claims.ts';
import { itemScores } from '../analyses/judging/item-scores/item-scores.ts';
import { type JudgePresent, matching } from '../analyses/judging/judge-configurations.ts';
import { type JudgeReport, judgeReport } from '../analyses/judging/judge-report.ts';
import { judgeStanding } from '../analyses/judging/judge-standing.ts';
import { judgedAnswers, questionTraits } from '../analyses/judging/judged-answers.ts';
import type { Judging } from '../analyses/judging/judging.ts';
import { juryReport } from '../analyses/judging/jury.ts';
import { listLevel } from '../analyses/judging/list-level.ts';
import { SCORED_PASS, storedJudgements } from '../analyses/judging/stored-judgements.ts';
import { summariseMetricTraits, summariseOtherTraits } from '../analyses/judging/summarise-traits.ts';
import { traitScores } from '../analyses/judging/trait-scores.ts';
import { correctedScore } from '../analyses/review/corrected-score.ts';
import type { ItemReview } from '../analyses/review/item-review.ts';
import { NO_REVIEW, questionReview, type RunReview } from '../analyses/review/run-review.ts';
import { transportedReview } from '../analyses/review/transported.ts';
import { KrisisError } from '../core/errors.ts';
import { emptyTextLedger, enter, nScored, textClass } from '../core/ledger.ts';
import { refutingMeasures } from '../rubrics/calibration/judge-gate-status.ts';
import { storedRubrics } from '../rubrics/rubric.ts';
import { DEFAULT_LEVEL, DEFAULT_SEED, defaultResamples } from '../statistics/score-options.ts';
import type { Run } from '../store/run.ts';
import type { RunFile } from '../store/run-file.ts';
import type { ReadRunOptions } from './read-options.ts';

/** Scores the answers to open questions from the stored verdicts. The first pass of the judge is scored; further passes show how far it agrees with itself. */
export function readJudging(file: RunFile, manifest: Run, repeats: number, options: ReadRunOptions) {
  const { level = DEFAULT_LEVEL, labels, resamples } = options;
  const statistics = { level, seed: DEFAULT_SEED, ...(resamples === undefined ? {} : { resamples }) };
  const judgements = storedJudgements(file, {
    wanted: options.judge ?? null,
    manifest,
  });
  checkJudge(options.judge, judgements.judges, file.path);
  const rubricsOf = storedRubrics(manifest);
  const traits = new Map([...file.records.read()].map(({ id }) => [id, questionTraits(rubricsOf(id))]));
  const traitsOf = (id: string) => traits.get(id) ?? [];
  const hashesOf = (id: string) => rubricsOf(id).map(({ hash }) => hash);
  const names = new Set(
    [...traits.keys()].flatMap(hashesOf).flatMap((hash) => judgements.judgeOf(hash) ?? []),
  );
  const answers = judgedAnswers(file, { judgements, traitsOf, rubricsOf: hashesOf, repeats, level });
  const ledger = emptyTextLedger();
  for (const answer of answers) enter(ledger, textClass(answer));
  const metricTraits = summariseMetricTraits(answers, statistics);
  const judge = judgeReport({
    names: [...names].sort(),
    answers,
    judgements,
    traitsOf,
    labels: labels ?? null,
    level,
  });
  const jury = juryReport(file, { answers, judgements, traitsOf });
  const review = reviewOf(
    options,
    manifest.runId,
    {
      answers,
      metricTraits,
      level,
      sameInstrument: judge.sameInstrument,
      suiteHash: manifest.identity.suiteHash,
    },
    { judge, jury },
  );
  const judging: Judging = {
    judge: withReview(judge, review?.items ?? null),
    metricTraits,
    otherTraits: summariseOtherTraits(answers, statistics),
    jury,
    claims: claimReport(file, manifest, judgements),
    listLevel: listLevel(file, rubricsOf, judgements, statistics),
    itemScores: itemScores(answers, statistics),
    abstention: abstentionScores(answers, statistics),
    answers,
    judgeEgress: manifest.judgeEgress,
    scoredPass: SCORED_PASS,
    nLabels: labels?.length ?? null,
    isUncalibratedAllowed: manifest.allowUncalibratedJudge === true,
  };
  const scores = [...traitScores(judging, ledger), ...(review?.items?.corrected ?? []).map(correctedScore)];
  const card = cardOf(
    { task: null, n: ledger.n, nScored: nScored(ledger), ledger, scores },
    { level, resamples: resamples ?? defaultResamples(traits.size) },
  );
  return {
    card,
    figures: null,
    judging,
    review,
    promptModes: ['single'],
    table: null,
  };
}

/** What people say of the answers; without labels on them, what the judge's error rates in another run make of the scores. */
function reviewOf(
  { review, labelledRun }: ReadRunOptions,
  runId: string | null,
  facts: Parameters<typeof questionReview>[1],
  judging: Parameters<typeof transportedReview>[1],
): RunReview | null {
  if (!review && labelledRun === undefined) return null;
  if (review?.runId && runId !== null && review.runId !== runId)
    throw new KrisisError(
      'these labels are on the answers of another run; they can lend the error rates of its judge (labelledRun), and no more',
      { code: 'ERR_REVIEW_FILE', value: review.runId },
    );
  const own = questionReview(review ?? NO_REVIEW, facts);
  if (labelledRun === undefined || own.items === null || own.items.counts.n > 0) return own;
  return { ...own, items: transportedReview(own.items, judging, labelledRun, facts.level) };
}

/** Labels of the review calibrate the judge where no other labels were given. Labels of either kind can refute it. */
function withReview(judge: ReturnType<typeof judgeReport>, review: ItemReview | null): JudgeReport {
  const calibration = judge.calibration ?? review?.calibration ?? null;
  const found = [judge.evidence, review?.calibration?.evidence].filter((evidence) => evidence != null);
  const evidence = found.find((each) => refutingMeasures(each).length > 0) ?? found[0] ?? null;
  const { judge: status, headline } = judgeStanding(
    { calibration, evidence },
    {
      score: 'raw',
      correctedAvailable: (review?.corrected ?? []).some(({ corrected }) => corrected !== null),
      allowUncalibrated: false,
    },
  );
  return {
    ...judge,
    calibration,
    calibrationReason: calibration === null ? judge.calibrationReason : null,
    evidence,
    status,
    headline,
  };
}

function checkJudge(wanted: string | undefined, judges: readonly JudgePresent[], path: string): void {
  if (wanted === undefined || matching(wanted, judges).length > 0) return;
  const there = judges.map(({ name }) => name).join(', ') || 'none yet';
  throw new KrisisError(`${path}: ${wanted} has not judged this run; its judges: ${there}`, {
    value: wanted,
    code: 'ERR_JUDGE_NOT_IN_RUN',
  });
}
