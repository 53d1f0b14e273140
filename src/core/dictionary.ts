/** Texts are kept in parts of this size: one list that grows leaves behind a copy of each size it had. */
const PART_BITS = 12;
const PART = 1 << PART_BITS;

/** Assigns every distinct text a small integer, in the order of first appearance. */
export class Dictionary {
  readonly #parts: string[][] = [];
  #n = 0;
  /** For each slot a code plus one; 0 is free. A Map of a million ids takes five times the memory, and several times as long. */
  #slots = new Int32Array(64);
  #hashes = new Int32Array(32);

  /** The texts by their codes, as a new list. */
  get values(): string[] {
    return this.#parts.flat();
  }

  code(value: string): number {
    const hash = hashText(value, SEED);
    for (let slot = hash & (this.#slots.length - 1); ; slot = (slot + 1) & (this.#slots.length - 1)) {
      const code = this.#slots[slot]! - 1;
      if (code < 0) return this.#add(value, hash, slot);
      if (this.#hashes[code] === hash && this.#parts[code >> PART_BITS]![code & (PART - 1)] === value)
        return code;
    }
  }

  #add(value: string, hash: number, slot: number): number {
    const code = this.#n;
    if (code === this.#hashes.length) {
      this.#grow();
      return this.code(value);
    }
    if (code % PART === 0) this.#parts.push([]);
    this.#parts.at(-1)!.push(value);
    this.#n += 1;
    this.#hashes[code] = hash;
    this.#slots[slot] = code + 1;
    return code;
  }

  #grow(): void {
    const hashes = new Int32Array(2 * this.#hashes.length);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    this.#slots = new Int32Array(2 * hashes.length);
    const last = this.#slots.length - 1;
    for (let code = 0; code < this.#n; code++) {
      let slot = hashes[code]! & last;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & last;
      this.#slots[slot] = code + 1;
    }
  }
}

/** Differs from process to process, so that no file can be written whose texts all meet in one slot. */
const SEED = Math.floor(Math.random() * 2 ** 32);

/** FNV-1a, with the final mixing of MurmurHash3: ids often differ in their last digits only. A signed integer of 32 bits. */
export function hashText(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
