import type { HarmItem, PointItem } from '../../../rubrics/index.ts';
import type { ItemClass, ItemResult } from '../score-metric-trait.ts';

/** An item of one answer with what it weighs, and what was said of it. */
export type MeasuredItem = Required<PointItem> & Required<HarmItem>;

/** An item as the measures over items take it: a required item without points has 1, a forbidden one -1; harm 1 where no grade is given. */
export function measuredItem({
  kind,
  points,
  critical,
  harm,
  axis,
  tags,
  class: found,
}: ItemResult): MeasuredItem {
  return {
    required: kind === 'required',
    points: points ?? (kind === 'required' ? 1 : -1),
    critical: critical ?? false,
    severity: harm ?? 1,
    groups: [...(axis === undefined ? [] : [axis]), ...(tags ?? [])],
    verdict: verdictOf(found),
  };
}

/** A refused answer says nothing: its items are absent. */
function verdictOf(found: ItemClass): string {
  return found === 'answer_refused' ? 'absent' : found;
}

/** Whether a verdict decides an item. */
export function isSettled({ verdict }: Pick<MeasuredItem, 'verdict'>): boolean {
  return verdict === 'present' || verdict === 'absent' || verdict === 'contradicted';
}
