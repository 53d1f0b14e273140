import { GATE_FUNCTIONS } from '../../analyses/registry.ts';
import { type Gate, type KnownMetrics, parseCondition } from '../conditions/expression.ts';

/**
 * Reads a condition. A number may be a percentage (`90%`); the name of the metric may be an alias (`coverage`, `ece`). With `known`, a metric
 * that is not among them is an error now, not after the run.
 *
 * @throws KrisisError whose message shows the expression with a caret under the character that is wrong.
 *
 * @example
 * ```ts
 * parseGate('lower(coverage) >= 90%')
 * // => { text: 'lower(coverage) >= 90%', of: 'lower', metric: 'answer_rate', operator: '>=', limit: 0.9 }
 * ```
 */
export function parseGate(written: string, known?: KnownMetrics): Gate {
  return parseCondition(written, known, GATE_FUNCTIONS);
}
