import { contentHash, type Label, type PatientRecord } from '../../core/index.ts';
import type { CkdCase } from './case.ts';
import { trueCourse } from './cohort/true-course.ts';
import { deferralLabel } from './deferral.ts';
import { ckdEpi2021 } from './equations/ckd-epi.ts';
import { aCategoryFromMgPerG, fiveStage, gCategory, riskCell } from './equations/kdigo.ts';
import { caseFromFeatures, type FeatureSet, showFeatures } from './features.ts';
import { mustActReasons } from './must-act.ts';
import type { CkdPatient } from './patient.ts';
import { CKD_STRATUM } from './stages.ts';
import type { CkdTask, CkdTaskName } from './tasks/ckd-task.ts';

interface RecordOptions {
  readonly name: CkdTaskName;
  readonly task: CkdTask;
  readonly features: FeatureSet;
  readonly deferAbove: number;
}

/** One patient as a record of a task. Whatever is shown is worked out first; label and metadata follow from that, or from the stored truth. */
export function ckdRecord(
  patient: CkdPatient,
  { name, task, features: set, deferAbove }: RecordOptions,
): PatientRecord {
  const features = showFeatures(patient, set);
  const given = caseFromFeatures(features);
  const assessment = task.assess(given);
  const egfr = ckdEpi2021(given);
  const g = egfr === null ? null : gCategory(egfr);
  const a = given.acrMgPerG === null ? null : aCategoryFromMgPerG(given.acrMgPerG);
  // Where nothing can be answered, silence withholds nothing.
  const mustAct = assessment.answer === null ? [] : mustActReasons(given);
  const deferral = deferralLabel(assessment, { mustAct: mustAct.length > 0, deferAbove });
  const label = labelOf(patient, assessment.answer, name);
  return {
    id: `ckd-${contentHash({ source: patient.sourceId, features }).slice(0, 16)}`,
    features,
    label,
    metadata: {
      origin: patient.origin,
      [CKD_STRATUM.key]: g === null ? null : fiveStage(g),
      egfr: egfr === null ? null : Math.round(egfr * 100) / 100,
      g_category: g,
      a_category: a,
      kdigo_risk: g === null || a === null ? null : riskCell(g, a),
      age: patient.age,
      sex: patient.sex,
      sex_assumed: patient.sexAssumed,
      ...(patient.sexAssumed ? { stage_depends_on_assumed_sex: dependsOnSex(patient) } : {}),
      should_abstain: withoutLabel(label, deferral.shouldAbstain),
      should_abstain_reasons: deferral.reasons,
      flip_probability:
        assessment.flipProbability === null ? null : Math.round(assessment.flipProbability * 1e4) / 1e4,
      must_act: mustAct.length > 0,
      must_act_reasons: mustAct,
      imputed_features: Object.keys(patient.imputed),
      ...(patient.uciClass === undefined
        ? {}
        : { uci_class: patient.uciClass, label_stage_conflict: conflicts(patient, given, egfr) }),
      ...(patient.trueTrajectory === undefined ? {} : { true_trajectory: patient.trueTrajectory }),
    },
  };
}

/** What the split keeps in proportion: the label, or that there is none. */
export function stratumOf(
  patient: CkdPatient,
  { name, task, features }: Omit<RecordOptions, 'deferAbove'>,
): string {
  if (name === 'progression') return trueCourse(patient.trueTrajectory!);
  return String(
    labelOf(patient, task.assess(caseFromFeatures(showFeatures(patient, features))).answer, name),
  );
}

/** Detection on the UCI file: its class. Progression: the course of the trajectory without noise. Otherwise what the shown values say. */
function labelOf(patient: CkdPatient, answer: Label | null, name: CkdTaskName): Label | null {
  if (name === 'detection' && patient.uciClass !== undefined)
    return patient.uciClass === 'ckd' ? 'present' : 'absent';
  if (name === 'progression') return answer === null ? null : trueCourse(patient.trueTrajectory!);
  return answer;
}

/** Without a label there is nothing to answer, whatever else holds. */
function withoutLabel(label: Label | null, shouldAbstain: boolean | null): boolean | null {
  return label === null ? true : shouldAbstain;
}

/** Whether the other sex would give another stage. */
function dependsOnSex({ age, values, sex }: CkdPatient): boolean {
  const reading = { creatinineMgDl: values.sc as number | null, age };
  const here = ckdEpi2021({ ...reading, sex });
  const there = ckdEpi2021({ ...reading, sex: sex === 'female' ? 'male' : 'female' });
  return here !== null && there !== null && fiveStage(gCategory(here)) !== fiveStage(gCategory(there));
}

/** The file says CKD though eGFR is 60 or more without albumin on the strip, or the other way round. Recorded, and no reason to defer. */
function conflicts(
  { uciClass }: CkdPatient,
  { dipstick, acrMgPerG }: CkdCase,
  egfr: number | null,
): boolean | null {
  if (egfr === null) return null;
  const suggestsCkd = egfr < 60 || (acrMgPerG === null ? (dipstick ?? 0) >= 1 : acrMgPerG >= 30);
  return suggestsCkd !== (uciClass === 'ckd');
}
