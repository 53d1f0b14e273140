import { argumentError, contentHash } from '../../core/index.ts';
import { createRandom, shuffle } from '../../statistics/index.ts';
import type { JudgeItem } from '../verdict.ts';

/**
 * The order in which a pass asks for the items. It follows from the seed, the pass, the question and the items, and neither from the order in which they are given, which
 * would put all required ones first, nor from the answer, so that all models' answers are judged in one order.
 *
 * Passes come in pairs: an odd pass has the order of the pass before it, reversed. Over a pair every item is in the middle on average, and each of two items comes first once.
 *
 * @example
 * ```ts
 * const items = ['a', 'b', 'c', 'd'].map((id) => ({ id, instruction: id }));
 * const ids = (pass) => itemOrder(items, { seed: 42, pass, question: 'Why?' }).map(({ id }) => id);
 * ids(0).reverse().join() === ids(1).join() // => true
 * ids(0).sort() // => ['a', 'b', 'c', 'd']
 * ```
 */
export function itemOrder<T extends JudgeItem>(
  items: readonly T[],
  { seed, pass, question }: { readonly seed: number; readonly pass: number; readonly question: string },
): T[] {
  if (!(Number.isInteger(pass) && pass >= 0))
    throw argumentError(`pass is ${pass}; expected 0, 1, 2, ...`, pass);
  const byId = items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const content = contentHash([seed, Math.floor(pass / 2), question, byId.map(({ id }) => id)]);
  // A seed of its own for every question: one order for all would keep every required item in the same place of the list.
  const order = shuffle(createRandom(Number.parseInt(content.slice(0, 8), 16), 'judgeItemOrder'), byId);
  return pass % 2 === 0 ? order : order.reverse();
}
