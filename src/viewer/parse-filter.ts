import { KrisisError } from '../core/browser.ts';
import type { RecordFilter } from './api.ts';
import { flipsOfFilter, SORT_KEYS, sortOf } from './filter-records.ts';

/** More at once would be a download, not a page. */
const MOST_ROWS = 5000;
const MOST_VALUES = 200;

const LISTS = ['outcome', 'label', 'prediction', 'stage', 'reason', 'group', 'should_abstain'] as const;

/**
 * The filter that an address asks for.
 *
 * @throws KrisisError for a name that is no filter, or a value that it cannot have: a filter that was passed over in silence would show rows that nobody asked for.
 */
export function parseFilter(query: URLSearchParams): RecordFilter {
  const filter: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    const isList = (LISTS as readonly string[]).includes(name);
    if (!isList && values.length > 1) throw wrong(name, values, 'given once');
    filter[name] = isList ? listOf(name, values) : oneOf(name, values[0]!);
  }
  return filter as RecordFilter;
}

function listOf(name: string, values: readonly string[]): readonly string[] {
  if (values.length > MOST_VALUES) throw wrong(name, values.length, `at most ${MOST_VALUES} values`);
  for (const value of values) {
    if (name === 'group' && !value.includes(':')) throw wrong(name, value, 'key:value');
    if (name === 'should_abstain' && !['true', 'false', 'null'].includes(value))
      throw wrong(name, value, 'true, false or null');
  }
  return values;
}

function oneOf(name: string, value: string): string | number | boolean {
  switch (name) {
    case 'confidence_from':
    case 'confidence_to':
      return numberIn(name, value);
    case 'repeat':
    case 'offset':
      return wholeIn(name, value, 0, Number.MAX_SAFE_INTEGER);
    case 'limit':
      return wholeIn(name, value, 1, MOST_ROWS);
    case 'usable':
    case 'scored':
      if (value !== 'true' && value !== 'false') throw wrong(name, value, 'true or false');
      return value === 'true';
    case 'text':
      return value;
    case 'flips':
      if (flipsOfFilter(value) === null) throw wrong(name, value, 'RUN:only_a or RUN:only_b');
      return value;
    case 'sort':
      if (sortOf(value) === null)
        throw wrong(name, value, `one of ${SORT_KEYS.join(', ')}, with - before it for the largest first`);
      return value;
    default:
      throw new KrisisError(`${name}: there is no such filter`, { value: name });
  }
}

function numberIn(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw wrong(name, text, 'a number');
  return value;
}

function wholeIn(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || value < least || value > most)
    throw wrong(name, text, `a whole number from ${least} to ${most}`);
  return value;
}

function wrong(name: string, value: unknown, expected: string): KrisisError {
  return new KrisisError(`${name} is ${JSON.stringify(value)}; expected ${expected}`, { value });
}
