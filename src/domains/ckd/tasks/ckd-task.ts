import type { Label } from '../../../core/index.ts';
import type { Features, Task } from '../../../suites/task.ts';
import { decisionMarks, mustActMark } from '../../cohort/verdict.ts';
import type { Assessment, CkdCase } from '../case.ts';
import { deferralLabel } from '../deferral.ts';
import { ckdEpi2021 } from '../equations/ckd-epi.ts';
import { caseFromFeatures } from '../features.ts';
import { mustActReasons } from '../must-act.ts';
import { CKD_STRATUM } from '../stages.ts';
import {
  DETECTION_REASONS,
  PROGRESSION_REASONS,
  STAGING_REASONS,
  UCI_DETECTION_REASONS,
} from './deferral-reasons.ts';
import { assessDetection, assessUciDetection } from './detection.ts';
import { detectionArms, progressionArms, stagingArms } from './instructions.ts';
import { oneLook } from './one-look.ts';
import { assessCourse } from './progression.ts';
import { assessStage, STAGE_LABELS, type StageScale } from './staging.ts';

export const CKD_TASKS = ['detection', 'staging', 'progression'] as const;
export type CkdTaskName = (typeof CKD_TASKS)[number];

interface TaskOptions {
  readonly source: 'cohort' | 'uci';
  readonly scale: StageScale;
  readonly deferAbove: number;
}

/** A task with what it makes of a case: the one place where labels, deferral labels and the guideline baselines come from. */
export interface CkdTask {
  readonly task: Task;
  readonly assess: (given: CkdCase) => Assessment<Label>;
  /** Deferral label and must-act mark. */
  readonly marks: (given: CkdCase) => ReturnType<typeof decisionMarks>;
}

const EGFR_LINE = 'Estimated GFR (CKD-EPI 2021, mL/min/1.73 m2)';

export function ckdTask(name: CkdTaskName, options: TaskOptions): CkdTask {
  const { assess, definition } = MAKERS[name](options);
  const marks = (given: CkdCase) =>
    decisionMarks(deferralLabel(assess(given), options.deferAbove), mustActReasons(given));
  return {
    assess,
    marks,
    task: {
      id: `ckd/${name}`,
      defaultArm: 'natural',
      stratum: CKD_STRATUM,
      ...definition,
      guideline: {
        answer: (features) => assess(caseFromFeatures(features)).answer,
        shouldDefer: (features) => marks(caseFromFeatures(features)).should_abstain === true,
      },
      isEmergency: (features) => mustActMark(mustActReasons(caseFromFeatures(features))) === true,
      oneLook: oneLook(name, options.scale, options.source),
    },
  };
}

type Definition = Omit<Task, 'id' | 'defaultArm' | 'guideline' | 'oneLook'>;
type Made = Pick<CkdTask, 'assess'> & { readonly definition: Definition };

const MAKERS: Record<CkdTaskName, (options: TaskOptions) => Made> = {
  detection: ({ source }) => ({
    assess: source === 'cohort' ? assessDetection : assessUciDetection,
    definition: {
      labels: ['present', 'absent'],
      positiveLabel: 'present',
      ordered: false,
      arms: detectionArms(source),
      deferralReasons: source === 'cohort' ? DETECTION_REASONS : UCI_DETECTION_REASONS,
      pack: 'detection',
      // The label of the UCI file is its class, not what its values say.
      labelFromValues: source === 'cohort',
      primaryEndpoint: endpoint('answering'),
    },
  }),
  staging: ({ scale, deferAbove }) => ({
    assess: (given) => assessStage(given, scale),
    definition: {
      labels: STAGE_LABELS[scale],
      ordered: true,
      arms: withEgfr(stagingArms(scale, deferAbove)),
      deferralReasons: STAGING_REASONS,
      pack: 'staging',
      labelFromValues: true,
      primaryEndpoint: endpoint('staging'),
    },
  }),
  progression: () => ({
    assess: assessCourse,
    definition: {
      labels: ['stable', 'worsening', 'improving'],
      ordered: false,
      arms: progressionArms(),
      deferralReasons: PROGRESSION_REASONS,
      pack: 'progression',
      primaryEndpoint: endpoint('judging the course'),
    },
  }),
};

function endpoint(answering: string): Definition['primaryEndpoint'] {
  const why = `one number for ${answering} rightly and deferring rightly, without the rule being told`;
  return { metric: 'decision_accuracy', arm: 'natural', why };
}

/** The arm that separates arithmetic from judgement: eGFR is worked out for the model, from what is shown, as laboratories print it. */
function withEgfr(arms: Definition['arms']): Definition['arms'] {
  const show = (features: Features): Features => {
    const egfr = ckdEpi2021(caseFromFeatures(features));
    return { ...features, [EGFR_LINE]: egfr === null ? 'cannot be estimated' : Math.round(egfr) };
  };
  return { ...arms, egfr_shown: { ...arms.egfr_shown!, show } };
}
