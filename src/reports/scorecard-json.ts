import type { Scorecard } from '../metrics/score.ts';
import { scorecardObject } from '../metrics/scorecard-object.ts';

/** A scorecard as strict JSON. */
export function scorecardJson(card: Scorecard): string {
  return `${JSON.stringify(scorecardObject(card), null, 2)}\n`;
}
