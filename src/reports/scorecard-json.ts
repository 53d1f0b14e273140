import { type Scorecard, scorecardObject } from '../metrics/index.ts';

/** A scorecard as strict JSON. */
export function scorecardJson(card: Scorecard): string {
  return `${JSON.stringify(scorecardObject(card), null, 2)}\n`;
}
