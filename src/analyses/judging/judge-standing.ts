import {
  type JudgeGateStatus,
  judgeGateStatus,
  refutingMeasures,
} from '../../rubrics/calibration/judge-gate-status.ts';
import type { JudgeReport } from './judge-report.ts';

const NO_LABELS = {
  nLabelled: 0,
  nQuestions: 0,
  randomSample: false,
  sensitivityUpper: null,
  specificityUpper: null,
  kappaUpper: null,
  positiveShare: null,
};

/** Whether the judge of a run can be relied on for a score. Gates, headlines and reports ask here. */
export function judgeStanding(
  { calibration, evidence }: Pick<JudgeReport, 'calibration' | 'evidence'>,
  asked: Pick<Parameters<typeof judgeGateStatus>[0], 'score' | 'correctedAvailable' | 'allowUncalibrated'>,
): JudgeGateStatus {
  return judgeGateStatus({
    ...(evidence ?? NO_LABELS),
    calibrated: calibration?.status === 'calibrated',
    ...asked,
  });
}

/** How far people disagreed with a refuted judge: `people disagreed with the judge (sensitivity at most 0.61; 72 labels on 24 questions)`. */
export function disagreementText({ evidence }: Pick<JudgeReport, 'evidence'>): string {
  const text = 'people disagreed with the judge';
  if (evidence === null) return text;
  const { trait, nLabelled, nQuestions } = evidence;
  const uppers = {
    sensitivity: evidence.sensitivityUpper,
    specificity: evidence.specificityUpper,
    kappa: evidence.kappaUpper,
  };
  const bounds = refutingMeasures(evidence).map(
    (measure) => `${measure} at most ${uppers[measure]!.toFixed(3)}`,
  );
  return `${text}${trait === null ? '' : ` on ${trait}`} (${bounds.join(', ')}; ${nLabelled} labels on ${nQuestions} questions)`;
}
