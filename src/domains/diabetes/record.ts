import { contentHash, type PatientRecord } from '../../core/index.ts';
import type { Features } from '../../suites/task.ts';
import { decisionMarks } from '../cohort/decision-marks.ts';
import type { Person } from '../cohort/people.ts';
import type { ShownPerson } from './shown.ts';
import { GUIDELINE, GUIDELINE_VERSION } from './task.ts';
import type { Verdict } from './verdict.ts';

/** What a record's metadata holds besides what every record's does. */
export type OwnMetadata = Readonly<Record<string, string | number | null>>;

interface RecordParts {
  /** What makes two people with the same values two people. */
  readonly source: string | number;
  readonly origin: string;
  readonly shown: Pick<ShownPerson, 'sex' | 'ethnicity' | 'units'>;
  readonly age: Person['age'];
  readonly features: Features;
  readonly verdict: Verdict;
  /** Why something shown needs action today. */
  readonly mustActReasons: readonly string[];
  readonly own: OwnMetadata;
}

const GUIDELINE_NAME = `${GUIDELINE} ${GUIDELINE_VERSION}`;

/** A record of a task: what is shown, and what follows from that. */
export function diabetesRecord(parts: RecordParts): PatientRecord {
  const { source, origin, shown, age, features, verdict, mustActReasons, own } = parts;
  const flip = verdict.flipProbability;
  const metadata: { [key: string]: unknown } = {
    origin,
    guideline: GUIDELINE_NAME,
    units: shown.units,
    age,
    age_band: ageBand(age),
    sex: shown.sex,
    ethnicity: shown.ethnicity,
    ...decisionMarks(verdict, mustActReasons),
    flip_probability: flip === null ? null : Math.round(flip * 1e4) / 1e4,
  };
  for (const name in own) metadata[name] = own[name];
  const id = `diabetes-${contentHash({ features, source }).slice(0, 16)}`;
  return { id, features, label: verdict.answer, metadata };
}

function ageBand(age: number): string {
  return age < 45 ? '20-44' : age < 65 ? '45-64' : age < 75 ? '65-74' : '75+';
}
