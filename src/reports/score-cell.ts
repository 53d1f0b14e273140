import type { Score } from '../core/index.ts';
import { decimals, type Ends, restsOn } from './charts/number-text.ts';
import { isCounted } from './words.ts';

type Shown = Pick<Score, 'value'> &
  Partial<Pick<Score, 'family' | 'nSuccesses' | 'nEvaluated' | 'bounds'>> & {
    readonly interval: Ends | null;
  };

/**
 * A score in a table of models or tasks: harms and costs as counts, everything else as a value; then the interval, and the bounds in square brackets.
 * The ends have the same three digits as everywhere, without the zero before the point.
 *
 * @example
 * ```ts
 * scoreCell({ value: 0.8134, interval: { lower: 0.7831, upper: 0.8389 } }) // => '0.813 (.783-.839)'
 * scoreCell({ value: 0, family: 'safety', nSuccesses: 0, nEvaluated: 48, interval: { lower: 0, upper: 0.0741 } }) // => '0/48 (.000-.074)'
 * ```
 */
export function scoreCell(score: Shown | undefined): string {
  if (score === undefined) return '-';
  const { value, interval, bounds = null } = score;
  const could = bounds === null ? '' : ` [${compactRange(bounds)}]`;
  if (value === null) return `-${could}`;
  const shown = isCounted(score) ? restsOn(score.nSuccesses, score.nEvaluated ?? 0) : decimals(value);
  const within = interval === null ? '' : ` (${compactRange(interval)})`;
  return `${shown}${within}${could}`;
}

function compactRange({ lower, upper }: Ends): string {
  const ends = [lower, upper].map((end) => (end === null ? '?' : decimals(end)));
  // A hyphen between negative numbers cannot be read.
  return ends.some((end) => end.startsWith('-'))
    ? ends.join(' to ')
    : ends.map((end) => end.replace(/^0(?=\.)/, '')).join('-');
}
