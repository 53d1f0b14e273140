import { mean } from '../../statistics/samples.ts';
import type { Judging } from '../judging/judging.ts';
import type { ItemResult } from '../judging/score-metric-trait.ts';
import type { Flips, ItemFlip } from './comparison.ts';
import { isOnlyRight } from './flips.ts';

/** The items that one of two runs has right and the other has not. */
export function findItemFlips(baseline: Judging, model: Judging): Flips<ItemFlip> {
  const theirs = repeatsOfItems(model);
  const onlyBaselineRight: ItemFlip[] = [];
  const onlyModelRight: ItemFlip[] = [];
  let nCompared = 0;
  for (const [key, ours] of repeatsOfItems(baseline)) {
    const others = theirs.get(key) ?? [];
    const right = shareRight(ours.map(({ item }) => item));
    const otherRight = shareRight(others.map(({ item }) => item));
    if (right === null || otherRight === null) continue;
    nCompared += 1;
    const isOurs = isOnlyRight(right, otherRight);
    if (!isOurs && !isOnlyRight(otherRight, right)) continue;
    const { id, item } = ours[0]!;
    (isOurs ? onlyBaselineRight : onlyModelRight).push({
      id,
      trait: item.traitName,
      itemId: item.id,
      kind: item.kind,
      instruction: item.instruction,
      baseline: ours.map(({ item }) => item.class),
      model: others.map(({ item }) => item.class),
    });
  }
  return { onlyBaselineRight, onlyModelRight, nCompared };
}

/** Every item of every question, as it came out in each repeat. */
function repeatsOfItems({
  answers,
}: Judging): Map<string, { readonly id: string; readonly item: ItemResult }[]> {
  const items = answers.flatMap(({ id, metricTraits }) =>
    metricTraits.flatMap((result) => result.items.map((item) => ({ id, item }))),
  );
  return Map.groupBy(items, ({ id, item }) => `${id} ${item.id}`);
}

/** The share of its scored repeats in which an item is right; null where none is scored. */
export function shareRight(repeats: readonly ItemResult[]): number | null {
  const scored = repeats.flatMap(({ counts }) => counts ?? []);
  // A required item is said, or a forbidden one is not.
  return mean(scored.map(({ tp, tn }) => Number(tp + tn > 0)));
}
