import { type Label, labelKey } from '../../core/index.ts';
import type { LabelTable } from '../label-table.ts';

/** Label codes in reading order: the task's scale first, then the rest by name, numbers numerically. */
export function classOrder(codes: Iterable<number>, table: LabelTable, scale: readonly Label[]): number[] {
  const places = new Map(scale.map((label, place) => [labelKey(label), place]));
  const placeOf = (code: number) => places.get(table.keys[code]!) ?? places.size;
  return [...codes].sort(
    (a, b) =>
      placeOf(a) - placeOf(b) ||
      String(table.display[a]).localeCompare(String(table.display[b]), 'en', { numeric: true }),
  );
}
