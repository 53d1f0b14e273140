import { type Scorecard, scorecardObject } from '../metrics/index.ts';
import { renderText } from '../reports/formats/text.ts';
import { type ScorecardOptions, scorecardDocument } from './run-document.ts';

/** A scorecard for people: what happened, what it means, every number with its interval and n, and what to beware of. */
export function scorecardText(
  card: Scorecard,
  { width, ...options }: ScorecardOptions & { readonly width?: number | undefined },
): string {
  return renderText(scorecardDocument(card, options), width);
}

/** A scorecard as strict JSON. */
export function scorecardJson(card: Scorecard): string {
  return `${JSON.stringify(scorecardObject(card), null, 2)}\n`;
}
