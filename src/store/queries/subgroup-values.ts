import type { EvaluationResult } from '../../core/index.ts';
import { ageBand } from '../../metrics/index.ts';

/** A key with more values than this is not worth choosing from: an id, a measurement. */
const MAX_VALUES = 50;

type Metadata = EvaluationResult['metadata'];

/** Collects the metadata keys that rows can be grouped by, and their values. */
export class SubgroupValues {
  readonly #values = new Map<string, Set<string>>();

  /** Enters a row and returns its groups. */
  add(metadata: Metadata): Record<string, string> {
    const groups: [string, string][] = [];
    for (const [key, value] of Object.entries(metadata)) {
      if (!isGroupKey(key) || !isScalar(value)) continue;
      const known = this.#values.get(key) ?? new Set();
      this.#values.set(key, known);
      const group = groupText(key, value);
      // One value too many is enough to rule out the key.
      if (known.size <= MAX_VALUES) known.add(group);
      if (known.size <= MAX_VALUES) groups.push([key, group]);
    }
    return Object.fromEntries(groups);
  }

  /** Keys with few values, and these in order of appearance. */
  subgroups(): ReadonlyMap<string, ReadonlySet<string>> {
    return new Map([...this.#values].filter(([, { size }]) => size <= MAX_VALUES));
  }
}

/** The groups of a row among keys that are already known. */
export function groupsAmong(
  metadata: Metadata,
  subgroups: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const entries = Object.entries(metadata).filter(
    ([key, value]) => Object.hasOwn(subgroups, key) && isScalar(value),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, groupText(key, value)]));
}

/** A filter is written `key:value`, so a key with a colon cannot be part of one. */
function isGroupKey(key: string): boolean {
  return key !== 'should_abstain' && !key.includes(':');
}

/** Ages are grouped in the bands that they are scored in. */
function groupText(key: string, value: unknown): string {
  return key === 'age' ? ageBand(String(value)) : String(value);
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
