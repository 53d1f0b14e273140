import { contentHash } from '../core/index.ts';
import type { MetricRubricTrait } from './traits/metric-trait.ts';
import type { JudgeItem } from './verdict.ts';

/** One instruction of a trait. The kind is for scoring; a judge is not told. */
export interface RubricItem extends JudgeItem {
  readonly kind: 'required' | 'forbidden';
  readonly traitName: string;
}

/** Short enough for a judge to copy, long enough that no two items of a rubric ever share one. */
const ID_LENGTH = 10;

/**
 * The items of a trait: what must be said and, in `full_matrix`, what must not. An id is a hash of the trait's name, the list and the instruction: the same in every
 * process and whatever else the trait holds, so that stored verdicts still fit when a line is added.
 *
 * @example
 * ```ts
 * const trait = new MetricRubricTrait({ name: 'BCL2', metrics: ['recall'], tpInstructions: ['Mentions BCL2'] });
 * itemsOf(trait)
 * // => [{ id: '7e90e03876', instruction: 'Mentions BCL2', kind: 'required', traitName: 'BCL2' }]
 * ```
 */
export function itemsOf(trait: MetricRubricTrait): RubricItem[] {
  const items = (list: 'tp' | 'tn', instructions: readonly string[]): RubricItem[] =>
    instructions.map((instruction) => ({
      id: contentHash([trait.name, list, instruction]).slice(0, ID_LENGTH),
      instruction,
      kind: list === 'tp' ? 'required' : 'forbidden',
      traitName: trait.name,
    }));
  return [
    ...items('tp', trait.tpInstructions),
    ...(trait.evaluationMode === 'full_matrix' ? items('tn', trait.tnInstructions) : []),
  ];
}
