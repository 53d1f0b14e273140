import type { Label } from '../../../core/index.ts';
import type { Features, Task, TaskArm } from '../../../suites/task.ts';
import { decisionMarks, mustActMark } from '../../cohort/decision-marks.ts';
import { type BpGuideline, bpCategory, CATEGORIES, isHigh, type Pressure } from '../blood-pressure.ts';
import {
  dangerIn,
  readClassification,
  readFollowUp,
  readPhenotype,
  readTreatment,
  visitsIn,
} from '../features.ts';
import { bpMustAct } from '../must-act.ts';
import { type BpVisit, latestMean, officeAverage, visitMean } from '../office-average.ts';
import type { Verdict } from '../verdict.ts';
import { assessClassification } from './classification.ts';
import {
  CLASSIFICATION_REASONS,
  FOLLOW_UP_REASONS,
  PHENOTYPE_REASONS,
  TREATMENT_REASONS,
} from './deferral-reasons.ts';
import { assessFollowUp, CONTROL, settledAverage } from './follow-up.ts';
import { classificationArms, followUpArms, phenotypeArms, treatmentArms } from './instructions.ts';
import { classificationLook, followUpLook, phenotypeLook, treatmentLook } from './one-look.ts';
import { assessPhenotype, PHENOTYPES, phenotypeOf } from './phenotype.ts';
import { assessTreatment, DECISIONS } from './treatment.ts';

export const HYPERTENSION_TASKS = ['classification', 'phenotype', 'treatment', 'follow_up'] as const;
export type HypertensionTaskName = (typeof HYPERTENSION_TASKS)[number];

export interface HypertensionTaskOptions {
  readonly guideline: BpGuideline;
  /** True for a source with one visit, of which the question says that a second gave the same. */
  readonly confirmed: boolean;
}

/** Scores are broken down by the category of the mean that the answer rests on. */
const STRATUM = { key: 'bp_category', label: 'category' } as const;
const MEAN_LINE = 'Mean of the office visits that count (mmHg)';

type Definition = Omit<
  Task,
  'id' | 'defaultArm' | 'stratum' | 'primaryEndpoint' | 'guideline' | 'labelFromValues'
> & {
  readonly assess: (features: Features) => Verdict;
  /** The pressure that an emergency is judged by: of the latest visit, or the office mean where visits are not shown. */
  readonly pressureNow: (features: Features) => Pressure | null;
  /** What a plain reader of the guideline answers, for the baseline `guideline`. */
  readonly plainAnswer: (features: Features) => Label | null;
};

const MAKERS: Record<HypertensionTaskName, (options: HypertensionTaskOptions) => Definition> = {
  classification: ({ guideline, confirmed }) => ({
    labels: CATEGORIES[guideline],
    ordered: true,
    pack: 'staging',
    arms: withMean(classificationArms(guideline, confirmed), (features) => {
      const { visits, rhythm } = readClassification(features);
      return officeAverage(visits, rhythm, guideline).mean;
    }),
    deferralReasons: CLASSIFICATION_REASONS,
    oneLook: classificationLook(guideline),
    assess: (features) =>
      assessClassification(readClassification(features), classificationOptions(guideline, confirmed)),
    pressureNow: (features) => latestMean(visitsIn(features), guideline),
    plainAnswer: (features) => {
      const mean = meanOfReadings(visitsIn(features), guideline);
      return mean === null ? null : bpCategory(mean, guideline);
    },
  }),
  phenotype: ({ guideline }) => ({
    labels: PHENOTYPES,
    ordered: false,
    arms: phenotypeArms(guideline),
    deferralReasons: PHENOTYPE_REASONS,
    oneLook: phenotypeLook(guideline),
    // The four states have names of their own under treatment, and mean the same two questions.
    assess: (features) => assessPhenotype({ ...readPhenotype(features), onTreatment: false }, guideline),
    pressureNow: (features) => readPhenotype(features).officeMean,
    plainAnswer: (features) => {
      const { officeMean, outOfOffice } = readPhenotype(features);
      const outside = outOfOffice?.mean ?? null;
      if (officeMean === null || outside === null) return null;
      return phenotypeOf(
        isHigh(officeMean, guideline, 'office'),
        isHigh(outside, guideline, outOfOffice!.setting),
      );
    },
  }),
  treatment: () => ({
    labels: DECISIONS,
    positiveLabel: 'start',
    ordered: false,
    pack: 'detection',
    arms: treatmentArms(),
    deferralReasons: TREATMENT_REASONS,
    oneLook: treatmentLook(),
    assess: (features) => assessTreatment(readTreatment(features)),
    pressureNow: (features) => readTreatment(features).mean,
    plainAnswer: (features) => {
      const { mean, cvd, diabetes, ckd } = readTreatment(features);
      if (mean === null) return null;
      const stage = bpCategory(mean, 'acc_aha_2025');
      const hasCondition = cvd === true || diabetes === true || ckd === true;
      return stage === 'stage_2' || (stage === 'stage_1' && hasCondition) ? 'start' : 'no_drug';
    },
  }),
  follow_up: ({ guideline }) => ({
    labels: CONTROL,
    positiveLabel: 'uncontrolled',
    ordered: false,
    pack: 'detection',
    arms: withMean(followUpArms(guideline), (features) => {
      const { visits, treatmentChangedDay } = readFollowUp(features);
      return settledAverage(visits, treatmentChangedDay, guideline).mean;
    }),
    deferralReasons: FOLLOW_UP_REASONS,
    oneLook: followUpLook(guideline),
    assess: (features) => assessFollowUp(readFollowUp(features), { guideline }),
    pressureNow: (features) => latestMean(visitsIn(features), guideline),
    // The price of averaging the baseline in.
    plainAnswer: (features) => {
      const mean = meanOfReadings(visitsIn(features), guideline);
      return mean === null ? null : mean[0] >= 130 || mean[1] >= 80 ? 'uncontrolled' : 'controlled';
    },
  }),
};

/** A source with one visit has no digits to judge rounding by: its values are even by protocol. */
export function classificationOptions(guideline: BpGuideline, confirmed: boolean) {
  return { guideline, minVisits: confirmed ? 1 : 2, findRounding: !confirmed };
}

/** A task with what it makes of a record: the one place where labels, deferral labels, must-act marks and the guideline baselines come from. */
export interface HypertensionTask {
  readonly task: Task;
  readonly assess: (features: Features) => Verdict;
  /** Why something shown needs action today, or soon, whether or not there is an answer. */
  readonly mustActReasons: (features: Features) => readonly string[];
}

export function hypertensionTask(
  name: HypertensionTaskName,
  options: HypertensionTaskOptions,
): HypertensionTask {
  const { assess, pressureNow, plainAnswer, ...definition } = MAKERS[name](options);
  const mustActReasons = (features: Features) => {
    const pressure = pressureNow(features);
    return pressure === null ? [] : bpMustAct(pressure, dangerIn(features), options.guideline);
  };
  const task: Task = {
    id: `hypertension/${name}`,
    defaultArm: 'natural',
    stratum: STRATUM,
    labelFromValues: true,
    primaryEndpoint: {
      metric: 'decision_accuracy',
      arm: 'natural',
      why: 'one number for answering rightly and deferring rightly, without the rule being told',
    },
    ...definition,
    guideline: {
      answer: (features) => assess(features).answer,
      plainAnswer,
      shouldDefer: (features) =>
        decisionMarks(assess(features), mustActReasons(features)).should_abstain === true,
    },
    isEmergency: (features) => mustActMark(mustActReasons(features)) === true,
  };
  return { task, assess, mustActReasons };
}

/** The mean over all visits with a reading, usable or not. */
function meanOfReadings(visits: readonly BpVisit[], guideline: BpGuideline): Pressure | null {
  const means = visits
    .filter(({ readings }) => readings.length > 0)
    .map((visit) => visitMean(visit, guideline));
  if (means.length === 0) return null;
  const average = (side: 0 | 1) => means.reduce((sum, mean) => sum + mean[side], 0) / means.length;
  return [average(0), average(1)];
}

function withMean(arms: Record<string, TaskArm>, meanOf: (features: Features) => Pressure | null) {
  const show = (features: Features): Features => {
    const mean = meanOf(features);
    const shown = mean === null ? 'no visit counts' : mean.map((value) => value.toFixed(1)).join('/');
    return { ...features, [MEAN_LINE]: shown };
  };
  return { ...arms, mean_shown: { ...arms.mean_shown!, show } };
}
