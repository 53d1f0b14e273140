import type { ItemFlip, ItemFlips } from '../compare/comparison.ts';
import type { Judging } from './judging.ts';
import type { ItemResult } from './score-metric-trait.ts';

interface Seen {
  readonly id: string;
  readonly item: ItemResult;
  readonly verdicts: string[];
  nRight: number;
  nScored: number;
}

/** The items on which two runs part. */
export function itemFlips(baseline: Judging, model: Judging): ItemFlips {
  const theirs = seenItems(model);
  const onlyBaselineRight: ItemFlip[] = [];
  const onlyModelRight: ItemFlip[] = [];
  let nCompared = 0;
  for (const [key, ours] of seenItems(baseline)) {
    const other = theirs.get(key);
    if (other === undefined || ours.nScored === 0 || other.nScored === 0) continue;
    nCompared += 1;
    if (isRight(ours) === isRight(other)) continue;
    (isRight(ours) ? onlyBaselineRight : onlyModelRight).push({
      id: ours.id,
      trait: ours.item.traitName,
      itemId: ours.item.id,
      kind: ours.item.kind,
      instruction: ours.item.instruction,
      baseline: ours.verdicts,
      model: other.verdicts,
    });
  }
  return { onlyBaselineRight, onlyModelRight, nCompared };
}

/** Every item of every question, with what became of it in each repeat. */
function seenItems({ answers }: Judging): Map<string, Seen> {
  const seen = new Map<string, Seen>();
  for (const { id, metricTraits } of answers) {
    for (const item of metricTraits.flatMap(({ items }) => items)) {
      const key = `${id} ${item.id}`;
      const known = seen.get(key) ?? { id, item, verdicts: [], nRight: 0, nScored: 0 };
      seen.set(key, known);
      known.verdicts.push(item.class);
      if (item.counts === null) continue;
      known.nScored += 1;
      // A required item is said, or a forbidden one is not.
      known.nRight += item.counts.tp + item.counts.tn > 0 ? 1 : 0;
    }
  }
  return seen;
}

function isRight({ nRight, nScored }: Seen): boolean {
  return nRight > nScored / 2;
}
