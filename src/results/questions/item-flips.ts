import type { ItemFlip, ItemFlips } from '../compare/comparison.ts';
import type { Judging } from './judging.ts';
import type { ItemResult } from './score-metric-trait.ts';

/** The items on which two runs part. */
export function itemFlips(baseline: Judging, model: Judging): ItemFlips {
  const theirs = repeatsOfItems(model);
  const onlyBaselineRight: ItemFlip[] = [];
  const onlyModelRight: ItemFlip[] = [];
  let nCompared = 0;
  for (const [key, ours] of repeatsOfItems(baseline)) {
    const others = theirs.get(key) ?? [];
    const right = isRightItem(ours.map(({ item }) => item));
    const otherRight = isRightItem(others.map(({ item }) => item));
    if (right === null || otherRight === null) continue;
    nCompared += 1;
    if (right === otherRight) continue;
    const { id, item } = ours[0]!;
    (right ? onlyBaselineRight : onlyModelRight).push({
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

interface ItemOfAnswer {
  readonly id: string;
  readonly item: ItemResult;
}

/** Every item of every question, as it came out in each repeat. */
function repeatsOfItems({ answers }: Judging): Map<string, ItemOfAnswer[]> {
  const items = answers.flatMap(({ id, metricTraits }) =>
    metricTraits.flatMap((result) => result.items.map((item) => ({ id, item }))),
  );
  return Map.groupBy(items, ({ id, item }) => `${id} ${item.id}`);
}

/** Whether an item is right in more than half of the repeats that are scored; null where none is. */
export function isRightItem(repeats: readonly ItemResult[]): boolean | null {
  const scored = repeats.flatMap(({ counts }) => counts ?? []);
  // A required item is said, or a forbidden one is not.
  const right = scored.filter(({ tp, tn }) => tp + tn > 0);
  return scored.length === 0 ? null : right.length > scored.length / 2;
}
