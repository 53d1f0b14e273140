import { hash } from 'node:crypto';
import { canonicalJson, type Label, type PatientRecord } from '../../core/index.ts';
import { trueCourse } from './cohort/true-course.ts';
import { ckdEpi2021 } from './equations/ckd-epi.ts';
import { aCategoryFromMgPerG, fiveStage, gCategory, riskCell } from './equations/kdigo.ts';
import { caseFromFeatures, type FeatureSet, showFeatures } from './features.ts';
import type { CkdPatient } from './patient.ts';
import { CKD_STRATUM } from './stages.ts';
import type { CkdTask, CkdTaskName } from './tasks/ckd-task.ts';

interface RecordOptions {
  readonly name: CkdTaskName;
  readonly task: CkdTask;
  readonly features: FeatureSet;
}

/** One patient as a record of a task. Whatever is shown is worked out first; label and metadata follow from that, or from the stored truth. */
export function ckdRecord(patient: CkdPatient, options: RecordOptions): PatientRecord {
  return ckdRecordWithText(patient, options).record;
}

/** The same with the canonical JSON of the features, which both the id and the hash of the suite are made from. */
export function ckdRecordWithText(
  patient: CkdPatient,
  { name, task, features: set }: RecordOptions,
): { readonly record: PatientRecord; readonly featuresText: string } {
  const features = showFeatures(patient, set);
  const given = caseFromFeatures(features);
  const assessment = task.assess(given);
  const egfr = ckdEpi2021(given);
  const g = egfr === null ? null : gCategory(egfr);
  const a = given.acrMgPerG === null ? null : aCategoryFromMgPerG(given.acrMgPerG);
  const marks = task.marks(given);
  const label = labelOf(patient, assessment.answer, name);
  // A class that says the opposite of what the values clearly show does not measure a reader of the values. (Elsewhere the label is what they show, or hidden truth.)
  const contradicts = name === 'detection' && marks.should_abstain === false && assessment.answer !== label;
  const metadata: Record<string, unknown> = {
    origin: patient.origin,
    [CKD_STRATUM.key]: g === null ? null : fiveStage(g),
    egfr: egfr === null ? null : Math.round(egfr * 100) / 100,
    g_category: g,
    a_category: a,
    kdigo_risk: g === null || a === null ? null : riskCell(g, a),
    age: patient.age,
    sex: patient.sex,
    sex_assumed: patient.sexAssumed,
  };
  if (patient.sexAssumed) metadata.stage_depends_on_assumed_sex = dependsOnSex(patient);
  Object.assign(metadata, marks);
  if (contradicts) metadata.should_abstain = null;
  metadata.flip_probability = rounded(assessment.flipProbability);
  if (assessment.decisiveFlip !== undefined)
    metadata.decisive_flip_probability = rounded(assessment.decisiveFlip);
  metadata.imputed_features = Object.keys(patient.imputed);
  if (patient.uciClass !== undefined) {
    metadata.uci_class = patient.uciClass;
    metadata.class_contradicts_values = contradicts;
  }
  if (patient.trueTrajectory !== undefined) metadata.true_trajectory = patient.trueTrajectory;
  const featuresText = canonicalJson(features);
  const content = `{"features":${featuresText},"source":${canonicalJson(patient.sourceId)}}`;
  const id = `ckd-${hash('sha256', content).slice(0, 16)}`;
  return { record: { id, features, label, metadata }, featuresText };
}

/** What the split keeps in proportion: the label, or that there is none. */
export function stratumOf(patient: CkdPatient, { name, task, features }: RecordOptions): string {
  if (name === 'progression') return String(trueCourse(patient.trueTrajectory!));
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

function rounded(probability: number | null): number | null {
  return probability === null ? null : Math.round(probability * 1e4) / 1e4;
}

/** Whether the other sex would give another stage. */
function dependsOnSex({ age, values, sex }: CkdPatient): boolean {
  const reading = { creatinineMgDl: values.sc as number | null, age };
  const here = ckdEpi2021({ ...reading, sex });
  const there = ckdEpi2021({ ...reading, sex: sex === 'female' ? 'male' : 'female' });
  return here !== null && there !== null && fiveStage(gCategory(here)) !== fiveStage(gCategory(there));
}
