import { contentHash } from '../../core/canonical-json.ts';
import type { Label } from '../../core/label.ts';
import { DEFAULT_STRATUM, type PatientRecord } from '../../core/patient-record.ts';
import { type ClinicalTask, roundOrNull } from '../cohort/clinical-task.ts';
import type { CkdCase } from './case.ts';
import { trueCourse } from './cohort/true-course.ts';
import { ckdEpi2021 } from './equations/ckd-epi.ts';
import { aCategoryFromMgPerG, fiveStage, gCategory, riskCell } from './equations/kdigo.ts';
import { type FeatureSet, showFeatures } from './features.ts';
import type { CkdPatient } from './patient.ts';
import type { CkdTaskName } from './tasks/tasks.ts';

interface RecordOptions {
  readonly name: CkdTaskName;
  readonly task: ClinicalTask<CkdCase>;
  readonly features: FeatureSet;
}

/** One patient as a record of a task. Whatever is shown is worked out first; label and metadata follow from that, or from the stored truth. */
export function ckdRecord(patient: CkdPatient, { name, task, features: set }: RecordOptions): PatientRecord {
  const features = showFeatures(patient, set);
  const { given, verdict, marks } = task.decide(features);
  const egfr = ckdEpi2021(given);
  const g = egfr === null ? null : gCategory(egfr);
  const a = given.acrMgPerG === null ? null : aCategoryFromMgPerG(given.acrMgPerG);
  const label = assignLabel(patient, verdict.answer, name);
  // A class that says the opposite of what the values clearly show does not measure a reader of the values. (Elsewhere the label is what they show, or hidden truth.)
  const contradicts = name === 'detection' && marks.should_abstain === false && verdict.answer !== label;
  const metadata: Record<string, unknown> = {
    origin: patient.origin,
    [DEFAULT_STRATUM.key]: g === null ? null : fiveStage(g),
    egfr: roundOrNull(egfr, 100),
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
  metadata.flip_probability = roundOrNull(verdict.flipProbability, 1e4);
  if (verdict.decisiveFlip !== undefined)
    metadata.decisive_flip_probability = roundOrNull(verdict.decisiveFlip, 1e4);
  metadata.imputed_features = Object.keys(patient.imputed);
  if (patient.uciClass !== undefined) {
    metadata.uci_class = patient.uciClass;
    metadata.class_contradicts_values = contradicts;
  }
  if (patient.trueTrajectory !== undefined) metadata.true_trajectory = patient.trueTrajectory;
  const id = `ckd-${contentHash({ features, source: patient.sourceId }).slice(0, 16)}`;
  return { id, features, label, metadata };
}

/** What the split keeps in proportion: the label, or that there is none. */
export function assignStratum(patient: CkdPatient, { name, task, features }: RecordOptions): string {
  if (name === 'progression') return String(trueCourse(patient.trueTrajectory!));
  return String(assignLabel(patient, task.decide(showFeatures(patient, features)).verdict.answer, name));
}

/** Detection on the UCI file: its class. Progression: the course of the trajectory without noise. Otherwise what the shown values say. */
function assignLabel(patient: CkdPatient, answer: Label | null, name: CkdTaskName): Label | null {
  if (name === 'detection' && patient.uciClass !== undefined)
    return patient.uciClass === 'ckd' ? 'present' : 'absent';
  if (name === 'progression') return answer === null ? null : trueCourse(patient.trueTrajectory!);
  return answer;
}

/** Whether the other sex would give another stage. */
function dependsOnSex({ age, values, sex }: CkdPatient): boolean {
  const reading = { creatinineMgDl: values.sc as number | null, age };
  const here = ckdEpi2021({ ...reading, sex });
  const there = ckdEpi2021({ ...reading, sex: sex === 'female' ? 'male' : 'female' });
  return here !== null && there !== null && fiveStage(gCategory(here)) !== fiveStage(gCategory(there));
}
