import { type JsonInText, jsonInText } from '../core/json-in-text.ts';
import type { TextSpan } from '../core/read-json.ts';

/**
 * The part of a reply that is about each of several records, where the backend does not say: an entry of the list in its JSON, or one of several objects. Entries with an `id` are matched by it, others by their order. Null where the
 * reply has not exactly one entry for every record.
 *
 * @example
 * ```ts
 * replySpans('[{"a": 1}, {"a": 2}]', ['x', 'y']) // => [{ start: 1, end: 9 }, { start: 11, end: 19 }]
 * ```
 */
export function replySpans(text: string, ids: readonly string[]): readonly (TextSpan | null)[] {
  const none = ids.map(() => null);
  const { values, fault } = jsonInText(text);
  if (fault !== null) return none;
  const entries = listEntries(values);
  if (entries.length !== ids.length) return none;
  const named = entries.map(({ value }) => ('id' in value ? String(value.id) : null));
  if (named.every((id) => id === null)) return entries.map(({ span }) => span);
  const spans = new Map(entries.map(({ span }, i) => [named[i], span]));
  return ids.every((id) => spans.has(id)) ? ids.map((id) => spans.get(id) ?? null) : none;
}

interface Entry {
  readonly value: object;
  readonly span: TextSpan | null;
}

function listEntries(found: readonly JsonInText[]): readonly Entry[] {
  const [only] = found;
  if (found.length !== 1 || only === undefined)
    return found.map(({ value, findSpan }) => ({ value, span: findSpan(value) }));
  const lists = Array.isArray(only.value) ? [only.value] : Object.values(only.value).filter(Array.isArray);
  // With two lists it is unknown which one holds the answers.
  const list: readonly unknown[] = lists.length === 1 ? lists[0]! : [];
  return list
    .filter((value): value is object => typeof value === 'object' && value !== null)
    .map((value) => ({ value, span: only.findSpan(value) }));
}
