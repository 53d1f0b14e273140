import { quoted } from '../../../core/index.ts';
import { UCI_EXTRAS, UCI_FEATURES } from './columns.ts';

const LABELS = new Map<string, string>([
  ...[...UCI_FEATURES, ...UCI_EXTRAS].map(({ name, label }) => [name, label] as const),
  ['id', 'id'],
  ['class', 'class'],
]);

/**
 * How a message names a column: with its label where the label says more, in quotes when the column is not one of the source.
 *
 * @example
 * ```ts
 * columnText('htn') // => 'htn (hypertension)'
 * columnText('age') // => 'age'
 * columnText('years') // => '"years"'
 * ```
 */
export function columnText(column: string): string {
  const label = LABELS.get(column);
  if (label === undefined) return quoted(column);
  return label === column ? column : `${column} (${label})`;
}
