import { type Label, sameLabel } from '../../core/index.ts';

/** Watches whether a column gives the label away, row by row. */
export interface LeakWatch {
  add(value: string | number | null, label: Label | null): void;
  /** Whether the column is the label itself: wherever both are filled in they are equal, and it is filled in at least half of the labelled rows. */
  isTheLabel(): boolean;
  /** Whether the column is the label in other words: as many values as labels, each going with one label only. Fewer than two rows a label could be chance. */
  isARecoding(): boolean;
}

/**
 * Watches a column. Most columns are cleared after a few rows; from then on they cost nothing.
 *
 * @example
 * ```ts
 * const watch = leakWatch();
 * for (const [value, label] of [[1, 'ill'], [0, 'well'], [1, 'ill'], [0, 'well']]) watch.add(value, label);
 * [watch.isTheLabel(), watch.isARecoding()] // => [false, true]
 * ```
 */
export function leakWatch(): LeakWatch {
  let nLabelled = 0;
  let nPairs = 0;
  let isEqual = true;
  let isOneToOne = true;
  const labelFor = new Map<string | number, Label>();
  const valueFor = new Map<Label, string | number>();
  return {
    add(value, label) {
      if (label === null || !(isEqual || isOneToOne)) return;
      nLabelled += 1;
      if (value === null) {
        isOneToOne = false;
        return;
      }
      nPairs += 1;
      if (isEqual && !sameLabel(value, label)) isEqual = false;
      if (!isOneToOne) return;
      if ((labelFor.get(value) ?? label) !== label || (valueFor.get(label) ?? value) !== value) {
        isOneToOne = false;
        labelFor.clear();
        valueFor.clear();
        return;
      }
      labelFor.set(value, label);
      valueFor.set(label, value);
    },
    isTheLabel: () => isEqual && nPairs > 1 && nPairs * 2 >= nLabelled,
    isARecoding: () => isOneToOne && labelFor.size > 1 && nPairs >= 2 * labelFor.size,
  };
}
