import { counted } from '../../core/index.ts';
import type { SuiteDescription } from '../suite.ts';

/**
 * The columns of a table that the model sees, in a sentence; null for a suite that is no table.
 *
 * @example
 * ```ts
 * shownColumnsText({ settings: { columns: ['Age (years)', 'notes'] } }) // => 'The model sees 2 columns: Age (years), notes.'
 * shownColumnsText({ settings: {} }) // => null
 * ```
 */
export function shownColumnsText({ settings }: Pick<SuiteDescription, 'settings'>): string | null {
  const { columns } = settings;
  if (!Array.isArray(columns)) return null;
  const n = columns.length;
  return `The model sees ${counted(n, 'column')}: ${columns.join(', ')}.`;
}
