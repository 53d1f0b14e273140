import { z } from 'zod';
import { KrisisError } from '../../core/errors.ts';
import type { HumanLabel } from '../../rubrics/calibration/human-labels.ts';
import type { JudgeCalibration } from '../../rubrics/calibration/judge-calibration.ts';
import { refutingMeasures } from '../../rubrics/calibration/judge-gate-status.ts';
import { storedRubrics } from '../../rubrics/rubric.ts';
import { DEFAULT_LEVEL, DEFAULT_SEED } from '../../statistics/score-options.ts';
import { defineRunAnalysis, type RunInput } from '../analysis.ts';
import { named } from '../options.ts';
import { abstentionScores } from './abstention-scores.ts';
import { claimReport } from './claims.ts';
import { itemScores } from './item-scores/item-scores.ts';
import { type JudgePresent, matching } from './judge-configurations.ts';
import { type JudgeReport, judgeReport } from './judge-report.ts';
import { judgeStanding } from './judge-standing.ts';
import { judgedAnswers, questionTraits } from './judged-answers.ts';
import { type Judging, judgingSchema } from './judging.ts';
import { juryReport } from './jury.ts';
import { listLevel } from './list-level.ts';
import { SCORED_PASS, storedJudgements } from './stored-judgements.ts';
import { summariseMetricTraits, summariseOtherTraits } from './summarise-traits.ts';

const verdictOptions = z.object({
  judge: named('whose verdicts to score (default: the latest)'),
  /** What people say of the same items; calibrates the judge. */
  labels: z.custom<readonly HumanLabel[]>().optional(),
  level: z.number().optional(),
  resamples: z.number().optional(),
});

/** The stored verdicts on the answers, before people's labels on this run are heard. The first pass of the judge is scored; further passes show how far it agrees with itself. */
export const verdictsAnalysis = defineRunAnalysis({
  id: 'verdicts',
  appliesTo: 'text',
  schema: judgingSchema,
  isInJson: false,
  options: verdictOptions,
  compute: scoreVerdicts,
});

function scoreVerdicts({ file, run }: RunInput, options: z.infer<typeof verdictOptions> = {}): Judging {
  const { judge: wanted = null, level = DEFAULT_LEVEL, labels = null, resamples } = options;
  const statistics = { level, seed: DEFAULT_SEED, ...(resamples === undefined ? {} : { resamples }) };
  const manifest = file.manifest();
  const judgements = storedJudgements(file, { wanted, manifest });
  if (wanted !== null) checkJudge(wanted, judgements.judges, file.path);
  const rubricsOf = storedRubrics(manifest);
  const traits = new Map([...file.records.read()].map(({ id }) => [id, questionTraits(rubricsOf(id))]));
  const findTraits = (id: string) => traits.get(id) ?? [];
  const findHashes = (id: string) => rubricsOf(id).map(({ hash }) => hash);
  const names = new Set(
    [...traits.keys()].flatMap(findHashes).flatMap((hash) => judgements.judgeOf(hash) ?? []),
  );
  const { repeats } = run;
  const answers = judgedAnswers(file, { judgements, findTraits, rubricsOf: findHashes, repeats, level });
  return {
    judge: withReview(
      judgeReport({ names: [...names].sort(), answers, judgements, findTraits, labels, level }),
      null,
    ),
    metricTraits: summariseMetricTraits(answers, statistics),
    otherTraits: summariseOtherTraits(answers, statistics),
    jury: juryReport(file, { answers, judgements, findTraits }),
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
}

/** Labels of the review calibrate the judge where no other labels were given. Labels of either kind can refute it. */
export function withReview(
  judge: ReturnType<typeof judgeReport>,
  review: {
    readonly calibration: JudgeCalibration | null;
    readonly corrected: readonly { readonly corrected: unknown }[];
  } | null,
): JudgeReport {
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

function checkJudge(wanted: string, judges: readonly JudgePresent[], path: string): void {
  if (matching(wanted, judges).length > 0) return;
  const there = judges.map(({ name }) => name).join(', ') || 'none yet';
  throw new KrisisError(`${path}: ${wanted} has not judged this run; its judges: ${there}`, {
    value: wanted,
    code: 'ERR_JUDGE_NOT_IN_RUN',
  });
}
