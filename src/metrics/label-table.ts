import { type Label, type LabelKey, labelKey } from '../core/label.ts';

/** The code of "no label": an absent prediction, or a truth that cannot be derived. */
export const NO_LABEL = -1;

/** Assigns every distinct label a small integer, so that rows fit into typed arrays. */
export class LabelTable {
  readonly #codes = new Map<LabelKey, number>();
  // The same few spellings recur: look them up before normalising.
  readonly #seen = new Map<Label, number>();
  readonly keys: LabelKey[] = [];
  /** Each label as it was first written. */
  readonly display: Label[] = [];

  get size(): number {
    return this.keys.length;
  }

  intern(label: Label): number {
    const known = this.#seen.get(label);
    if (known !== undefined) return known;
    const key = labelKey(label);
    let code = this.#codes.get(key);
    if (code === undefined) {
      code = this.keys.length;
      this.#codes.set(key, code);
      this.keys.push(key);
      this.display.push(label);
    }
    // Free text must not grow this cache without limit; the key map alone suffices.
    if (this.#seen.size < 4096) this.#seen.set(label, code);
    return code;
  }

  /** The code of a label; for an unknown label a code that no row has. */
  findCode(label: Label): number {
    return this.#codes.get(labelKey(label)) ?? -2;
  }
}
