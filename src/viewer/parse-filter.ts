import { CASE_KINDS, DECISION_CLASSES, KrisisError } from '../core/browser.ts';
import {
  flipsOfFilter,
  parseSort,
  type RecordFilter,
  SEARCHED_TEXTS,
  type SearchedText,
  SORT_KEYS,
} from '../store/browser.ts';

/** More rows would be a download, not a page. */
const MAX_ROWS = 5000;
const MAX_VALUES = 200;

const LISTS = [
  'decision_class',
  'case_kind',
  'must_act',
  'urgent',
  'outcome',
  'label',
  'prediction',
  'stratum',
  'reason',
  'group',
  'should_abstain',
  'search_in',
  'column',
] as const;

const FLAGS = ['true', 'false', 'null'];
/** Lists that only certain values can be in. */
const CLOSED: Readonly<Record<string, readonly string[]>> = {
  decision_class: [...DECISION_CLASSES, 'null'],
  case_kind: CASE_KINDS,
  must_act: FLAGS,
  urgent: FLAGS,
  should_abstain: FLAGS,
};

/**
 * Reads the filter in the query of an address.
 *
 * @throws KrisisError for an unknown name or an impossible value: ignoring it would show rows that the reader excluded.
 */
export function parseFilter(query: URLSearchParams): RecordFilter {
  const filter: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    const isList = (LISTS as readonly string[]).includes(name);
    if (!isList && values.length > 1) throw wrong(name, values, 'given once');
    filter[name] = isList ? parseList(name, values) : parseValue(name, values[0]!);
  }
  return filter as RecordFilter;
}

function parseList(name: string, values: readonly string[]): readonly string[] {
  if (values.length > MAX_VALUES) throw wrong(name, values.length, `at most ${MAX_VALUES} values`);
  if (name === 'search_in') return textsIn(name, values);
  for (const value of values) {
    if (name === 'group' && !value.includes(':')) throw wrong(name, value, 'key:value');
    const allowed = CLOSED[name];
    if (allowed !== undefined && !allowed.includes(value))
      throw wrong(name, value, `one of ${allowed.join(', ')}`);
  }
  return values;
}

function parseValue(name: string, value: string): string | number | boolean {
  switch (name) {
    case 'confidence_from':
    case 'confidence_to':
      return numberIn(name, value);
    case 'repeat':
    case 'offset':
      return wholeNumber(name, value);
    case 'limit':
      return wholeNumber(name, value, { min: 1, max: MAX_ROWS });
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
      if (parseSort(value) === null)
        throw wrong(name, value, `one of ${SORT_KEYS.join(', ')}, with - in front for descending order`);
      return value;
    default:
      throw new KrisisError(`${name}: there is no such filter`, {
        code: 'ERR_RECORD_FILTER_INVALID',
        value: name,
      });
  }
}

function numberIn(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw wrong(name, text, 'a number');
  return value;
}

/** Reads names of texts from a query. */
export function textsIn(name: string, values: readonly string[]): SearchedText[] {
  return values.map((value) => {
    const found = SEARCHED_TEXTS.find((text) => text === value);
    if (found === undefined) throw wrong(name, value, SEARCHED_TEXTS.join(', '));
    return found;
  });
}

/** Reads a whole number from a query. */
export function wholeNumber(
  name: string,
  text: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { readonly min?: number; readonly max?: number } = {},
): number {
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || value < min || value > max)
    throw wrong(name, text, `a whole number from ${min} to ${max}`);
  return value;
}

function wrong(name: string, value: unknown, expected: string): KrisisError {
  return new KrisisError(`${name} is ${JSON.stringify(value)}; expected ${expected}`, {
    code: 'ERR_RECORD_FILTER_INVALID',
    value,
  });
}
