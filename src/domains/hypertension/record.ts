import { hash } from 'node:crypto';
import type { PatientRecord } from '../../core/index.ts';
import type { Features } from '../../suites/task.ts';
import { decisionMarks } from '../cohort/decision-marks.ts';
import type { Person } from '../cohort/people.ts';
import { type BpGuideline, bpCategory, type Pressure } from './blood-pressure.ts';
import type { Verdict } from './verdict.ts';

/** What a record is made of. */
export interface RecordParts {
  readonly person: Person;
  readonly features: Features;
  readonly verdict: Verdict;
  /** Why something shown needs action today, or soon. */
  readonly mustActReasons: readonly string[];
  readonly guideline: BpGuideline;
  /** The mean that the answer rests on. */
  readonly mean: Pressure | null;
  readonly origin: 'cohort' | 'nhanes';
  /** What is never shown, and kept for a reader of the records. */
  readonly hidden: Readonly<Record<string, unknown>>;
}

export function hypertensionRecord(parts: RecordParts): PatientRecord {
  const { person, features, verdict, mustActReasons, guideline, mean, origin, hidden } = parts;
  const { answer, flipProbability } = verdict;
  // The place in the cohort keeps ids apart where two people look the same.
  const id = hash('sha256', `${person.index} ${JSON.stringify(features)}`).slice(0, 16);
  return {
    id: `hypertension-${id}`,
    features,
    label: answer,
    metadata: {
      origin,
      guideline,
      bp_category: mean === null ? null : bpCategory(mean, guideline),
      age: person.age,
      age_band: ageBand(person.age),
      sex: person.sex,
      ethnicity: person.ethnicity,
      ...decisionMarks(verdict, mustActReasons),
      flip_probability: flipProbability === null ? null : Math.round(flipProbability * 1e4) / 1e4,
      ...hidden,
    },
  };
}

function ageBand(age: number): string {
  if (age < 18) return 'under 18';
  return age < 45 ? '18-44' : age < 65 ? '45-64' : age < 75 ? '65-74' : '75+';
}
