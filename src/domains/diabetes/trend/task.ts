import { type ClinicalTask, clinicalTask, variationRule } from '../../cohort/clinical-task.ts';
import { type Lines, recordForm } from '../../cohort/fields.ts';
import { acuteMustAct } from '../acute.ts';
import { HBA1C_NOT_VALID_IN } from '../contexts.ts';
import {
  acuteField,
  BACKGROUND_FIELDS,
  hba1cIn,
  hba1cLine,
  type MeasuredAcute,
  PERSON_FIELDS,
  type ShownPerson,
} from '../form.ts';
import { TREND_REASONS } from '../reasons.ts';
import { assessTrend, TREND_LABELS, type Trend, type TrendCase } from './assess.ts';

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

const DAY_MS = 86_400_000;

/** What the model sees, and what is read back from that. */
export const TREND_FORM = recordForm<TrendPerson, TrendCase>({
  ...PERSON_FIELDS,
  therapy: { label: 'Therapy', show: ({ therapy }) => therapy },
  visits: {
    label: 'Visits',
    show: ({ visits, units }) =>
      visits.map(({ date, hba1c, remark }) => {
        const [name, value] = hba1cLine(hba1c, units);
        return { date, [name]: value, ...(remark !== null && { remark }) };
      }),
    read: (visits = []) =>
      (visits as readonly Lines[]).map((line) => ({
        day: Date.parse(String(line.date)) / DAY_MS,
        hba1cPercent: hba1cIn(line),
        valid: line.remark === undefined,
      })),
  },
  acute: acuteField(null),
  ...BACKGROUND_FIELDS,
});

/** Points of % over the time shown that count as change: no guideline defines a course, so every arm says it. */
const MEANINGFUL = 0.5;

const QUESTION =
  'Decide how HbA1c has developed over the visits shown, beyond what measurement alone explains: stable, worsening or improving. A change of half a percentage point (5.5 mmol/mol) or more over the time shown counts as change.';

export function trendTask(deferAbove: number): ClinicalTask<TrendCase> {
  return clinicalTask({
    id: 'diabetes/trend',
    labels: TREND_LABELS,
    ordered: false,
    pack: 'progression',
    question: QUESTION,
    rule: [
      'Leave out visits without a value and visits with a remark that makes HbA1c unusable there.',
      `Abstain in ${HBA1C_NOT_VALID_IN}; with fewer than three values; and with less than 180 days from the first to the last.`,
      'Otherwise fit a straight line through HbA1c in % over time by least squares. The change is its slope times the time from the first to the last value; a rise of 0.5 or more is worsening, a fall of 0.5 or more improving.',
      variationRule(
        'A single HbA1c varies around the true value by a CV of 2.6 %; the standard error of the change follows from that.',
        deferAbove,
      ),
    ].join(' '),
    deferralReasons: TREND_REASONS,
    stratum: { key: 'n_visits', label: 'visits' },
    read: TREND_FORM.read,
    mustAct: acuteMustAct,
    assess: (given) => assessTrend(given, { deferAbove }),
    fallback: lastMinusFirst,
    glance: lastMinusFirst,
    lacks: ({ visits }) => visits.some(({ hba1cPercent, valid }) => hba1cPercent === null || !valid),
  });
}

/** The last value minus the first against half a point. */
function lastMinusFirst({ visits }: TrendCase): Trend | null {
  const values = visits.toSorted((a, b) => a.day - b.day).flatMap(({ hba1cPercent }) => hba1cPercent ?? []);
  if (values.length < 2) return null;
  const change = values.at(-1)! - values[0]!;
  return change >= MEANINGFUL ? 'worsening' : change <= -MEANINGFUL ? 'improving' : 'stable';
}
