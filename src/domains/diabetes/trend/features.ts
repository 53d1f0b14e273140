import type { FeatureValue } from '../../../core/index.ts';
import type { Features } from '../../../suites/task.ts';
import {
  acuteFrom,
  addAcute,
  addBackground,
  contextFrom,
  HBA1C_UNIT,
  type MeasuredAcute,
  numberIn,
  personLines,
  printedHba1c,
  type ShownPerson,
} from '../shown.ts';
import { hba1cPercent } from '../units.ts';
import type { TrendCase, TrendVisit } from './assess.ts';

/** A visit before it is printed. */
export interface MeasuredVisit {
  /** Days since the first visit; shown as the date. */
  readonly day: number;
  readonly date: string;
  /** In %, not rounded; null where not measured. */
  readonly hba1c: number | null;
  /** Why HbA1c cannot be used at this visit; null where it can. */
  readonly remark: string | null;
}

/** Who a record of the task trend is about. */
export interface TrendPerson extends ShownPerson {
  /** Oldest first. */
  readonly visits: readonly MeasuredVisit[];
  readonly therapy: string;
  readonly acute: MeasuredAcute | null;
}

/** What is written beside an HbA1c that cannot be used. */
export const REMARKS = [
  'red cells transfused two weeks before',
  'major bleeding three weeks before',
] as const;

const VISITS = 'Visits';
const DAY_MS = 86_400_000;

/** What the model sees. */
export function showTrend(person: TrendPerson): Features {
  const { units } = person;
  const lines = personLines(person);
  lines.Therapy = person.therapy;
  const name = `HbA1c (${HBA1C_UNIT[units]})`;
  lines[VISITS] = person.visits.map(({ date, hba1c, remark }) => {
    const line: { [name: string]: FeatureValue } = { date };
    line[name] = hba1c === null ? null : printedHba1c(hba1c, units);
    if (remark !== null) line.remark = remark;
    return line;
  });
  addAcute(lines, person.acute, units);
  addBackground(lines, person);
  return lines;
}

/** Reads the case back from what is shown, and from nothing else. */
export function trendCase(features: Features): TrendCase {
  const shown = (features[VISITS] ?? []) as readonly Readonly<Record<string, FeatureValue>>[];
  const visits: TrendVisit[] = [];
  for (const line of shown) {
    const percent = numberIn(line['HbA1c (%)']);
    const mmolMol = numberIn(line['HbA1c (mmol/mol)']);
    visits.push({
      day: Date.parse(String(line.date)) / DAY_MS,
      hba1cPercent: percent ?? (mmolMol === null ? null : hba1cPercent(mmolMol)),
      valid: line.remark === undefined,
    });
  }
  return { visits, context: contextFrom(features), acute: acuteFrom(features, null) };
}
