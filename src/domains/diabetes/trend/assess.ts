import { normalCdf } from '../../../statistics/special-functions.ts';
import { answered, noAnswer, type Verdict } from '../../cohort/verdict.ts';
import { type AcuteValues, acuteReasons } from '../acute.ts';
import { type Context, invalidatesHba1c } from '../contexts.ts';
import { referenceChangeValue, VARIATION, type Variation } from '../variation.ts';

export const TREND_LABELS = ['stable', 'worsening', 'improving'] as const;
export type Trend = (typeof TREND_LABELS)[number];

/** One visit. */
export interface TrendVisit {
  readonly day: number;
  /** In %, also where it was printed in mmol/mol; null where not measured. */
  readonly hba1cPercent: number | null;
  /** False where HbA1c cannot be used at this visit. */
  readonly valid: boolean;
}

/** What can be read off a record of the task trend. */
export interface TrendCase {
  readonly visits: readonly TrendVisit[];
  readonly context: Context | null;
  readonly acute: AcuteValues | null;
}

export interface TrendVerdict extends Verdict<Trend> {
  /** Change over the time shown by least squares, in points of %; null without an answer. */
  readonly change: number | null;
  /** Its standard error. */
  readonly se: number | null;
  readonly chances: Readonly<Record<Trend, number>> | null;
}

const MIN_VALUES = 3;
const MIN_DAYS = 180;

/** The likeliest course of HbA1c given the values shown: least squares over time, with the error that variation of single values leaves in the change. */
export function assessTrend(
  given: TrendCase,
  options: Partial<Variation> & {
    /** Points of % over the time shown that count as change. Default: 0.5. */
    readonly meaningfulChange?: number;
    /** Flip probability above which a row must be deferred. Default: 0.2. */
    readonly deferAbove?: number;
  } = {},
): TrendVerdict {
  const { meaningfulChange = 0.5, deferAbove } = options;
  const variation = { ...VARIATION.hba1c, ...options };
  const none = (reason: string): TrendVerdict => ({
    ...noAnswer(reason),
    change: null,
    se: null,
    chances: null,
  });
  if (invalidatesHba1c(given.context)) return none('hba1c_not_valid');
  const days: number[] = [];
  const values: number[] = [];
  for (const { day, hba1cPercent, valid } of given.visits.toSorted((a, b) => a.day - b.day)) {
    if (hba1cPercent === null || !valid) continue;
    days.push(day);
    values.push(hba1cPercent);
  }
  if (values.length < MIN_VALUES) return none('too_few_visits');
  const span = days.at(-1)! - days[0]!;
  if (span < MIN_DAYS) return none('follow_up_under_six_months');

  const { change, se } = changeOver(days, values, span, variation);
  const worsening = 1 - chanceBelow(meaningfulChange, change, se);
  const improving = chanceBelow(-meaningfulChange, change, se);
  const chances = { stable: Math.max(0, 1 - worsening - improving), worsening, improving };
  const likeliest = Math.max(worsening, improving);
  const answer = chances.stable >= likeliest ? 'stable' : worsening > improving ? 'worsening' : 'improving';
  const isInside =
    Math.abs(values.at(-1)! - values[0]!) / values[0]! <= referenceChangeValue(variation).symmetric;
  return {
    ...answered(answer, 1 - chances[answer], {
      near: isInside ? 'change_inside_reference_change_value' : 'course_uncertain',
      mustAct: given.acute === null ? [] : acuteReasons(given.acute),
      deferAbove,
    }),
    change,
    se,
    chances,
  };
}

function changeOver(
  days: readonly number[],
  values: readonly number[],
  span: number,
  { cvWithinPerson, cvAnalytical }: Variation,
): { change: number; se: number } {
  const mean = (of: readonly number[]) => of.reduce((sum, one) => sum + one, 0) / of.length;
  const [meanDay, meanValue] = [mean(days), mean(values)];
  let sxx = 0;
  let sxy = 0;
  for (let i = 0; i < days.length; i++) {
    sxx += (days[i]! - meanDay) ** 2;
    sxy += (days[i]! - meanDay) * (values[i]! - meanValue);
  }
  const cv = Math.hypot(cvWithinPerson, cvAnalytical);
  return { change: (sxy / sxx) * span, se: (cv * meanValue * span) / Math.sqrt(sxx) };
}

/** P(true change < line); without error the change is what it is. */
function chanceBelow(line: number, change: number, se: number): number {
  if (se === 0) return change < line ? 1 : 0;
  return normalCdf((line - change) / se);
}
