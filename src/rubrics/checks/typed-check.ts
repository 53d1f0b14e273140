import { isObject } from '../../core/collections.ts';
import { shown } from '../../core/plain-text.ts';
import { normalised } from '../normalised-text.ts';
import {
  compilePattern,
  complain,
  type Fields,
  inCode,
  isNumber,
  pattern,
  type Reader,
  readFields,
  valueOr,
} from '../traits/fields.ts';
import type { Parsed } from '../verdict.ts';
import { differInDenominators, unitFactor } from './units.ts';

/** The value is a number within the tolerance of the one expected. */
export interface NumberCheck {
  readonly number: number;
  /** Default: none; then a value with a unit cannot be compared. */
  readonly unit?: string;
  /** Greatest difference allowed, in `unit`. Default: 0. */
  readonly tolerance?: number;
  /** For units that differ by substance: the factor that turns a value in that unit into `unit`. Example: `{ 'mg/dL': 0.0555 }` for glucose in mmol/L. Default: none. */
  readonly convert?: Readonly<Record<string, number>>;
}

/** The value is a date within the tolerance of the one expected. */
export interface DateCheck {
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Greatest difference allowed. Default: 0. */
  readonly tolerance_days?: number;
}

/** The value is one of a list, compared as quotes are. */
export interface OneOfCheck {
  readonly one_of: readonly string[];
}

/** The value has a match of a regular expression in RE2's syntax, without case. */
export interface RegexCheck {
  readonly regex: string;
}

/** What code checks on the value that a judge extracts. The judge does not learn what is expected. */
export type TypedCheck = NumberCheck | DateCheck | OneOfCheck | RegexCheck;

/** Whether a value passes; null with a reason where it cannot be compared. */
export interface CheckOutcome {
  readonly passed: boolean | null;
  readonly reason: string | null;
}

/** What a judge is asked to copy from the answer. */
export function valueKind(check: TypedCheck): string {
  if ('number' in check) return 'a number with its unit';
  return 'date' in check ? 'a date' : 'words of the answer';
}

/**
 * Compares the value that a judge copied from an answer with what is expected.
 *
 * @example
 * ```ts
 * checkValue({ number: 500, unit: 'mg' }, '0.5 g') // => { passed: true, reason: null }
 * checkValue({ number: 500, unit: 'mg' }, '850 mg') // => { passed: false, reason: null }
 * checkValue({ number: 5, unit: 'mg' }, '5 mg/kg') // => { passed: false, reason: null }
 * checkValue({ number: 5.5, unit: 'mmol/L' }, '99 mg/dL') // => { passed: null, reason: 'unit_not_convertible' }
 * checkValue({ one_of: ['ramipril', 'lisinopril'] }, 'Ramipril') // => { passed: true, reason: null }
 * ```
 */
export function checkValue(check: TypedCheck, value: string): CheckOutcome {
  if ('number' in check) return checkNumber(check, value);
  if ('date' in check) {
    const [expected, found] = [readDate(check.date), readDate(value)];
    if (!expected.ok || !found.ok) return { passed: null, reason: found.ok ? 'not_a_date' : found.reason };
    const days = Math.abs(found.day - expected.day) / 86_400_000;
    return { passed: days <= (check.tolerance_days ?? 0), reason: null };
  }
  if ('one_of' in check)
    return { passed: check.one_of.some((one) => plain(one) === plain(value)), reason: null };
  if (value.length > MAX_CHARACTERS) return { passed: null, reason: 'value_too_long' };
  return { passed: compilePattern(check.regex, false).matcher(value).find(), reason: null };
}

const MAX_CHARACTERS = 1_000;

function checkNumber(
  { number, unit, tolerance = 0, convert = {} }: NumberCheck,
  value: string,
): CheckOutcome {
  const read = readNumber(value);
  if (!read.ok) return { passed: null, reason: read.reason };
  if (unit === undefined && read.unit !== null) return { passed: null, reason: 'unexpected_unit' };
  if (unit !== undefined && read.unit === null) return { passed: null, reason: 'no_unit' };
  const factor = unit === undefined ? 1 : findFactor(read.unit!, unit, convert);
  if (factor === null)
    return differInDenominators(read.unit!, unit!)
      ? { passed: false, reason: null }
      : { passed: null, reason: 'unit_not_convertible' };
  const rounding = 1e-9 * Math.max(1, Math.abs(number));
  return { passed: Math.abs(read.number * factor - number) <= tolerance + rounding, reason: null };
}

function findFactor(from: string, to: string, convert: Readonly<Record<string, number>>): number | null {
  const known = unitFactor(from, to);
  if (known !== null) return known;
  for (const [unit, factor] of Object.entries(convert)) {
    const step = unitFactor(from, unit);
    if (step !== null) return step * factor;
  }
  return null;
}

function plain(text: string): string {
  return normalised(text, 'flat', 'quote').text.replace(/^[\s"'.,;:!?]+|[\s"'.,;:!?]+$/g, '');
}

/** Reads a check from a rubric file. Each problem is a sentence that follows the word "check". */
export function readCheck(value: unknown, problems: string[]): TypedCheck | null {
  const kinds = Object.keys(READERS) as (keyof typeof READERS)[];
  if (!isObject(value)) {
    problems.push(`check is ${shown(value)}; expected an object with one of ${kinds.join(', ')}`);
    return null;
  }
  const given = new Map<string, unknown>(Object.entries(value));
  const [kind, ...others] = kinds.filter((name) => given.get(name) !== undefined);
  if (kind === undefined || others.length > 0) {
    const named = kind === undefined ? `none of ${kinds.join(', ')}` : [kind, ...others].join(' and ');
    problems.push(`check has ${named}; expected one of them`);
    return null;
  }
  const { fields, read } = READERS[kind](value);
  problems.push(...fields.problems.map((problem) => `check ${problem}`));
  return fields.problems.length === 0 ? read : null;
}

/** A number from 0 on; 0 is the default, and left out. */
const amount = (unit: string) => {
  const isAmount = (value: unknown): value is number | null =>
    value === null || (isNumber(value) && value >= 0);
  const read = valueOr(null, `a number from 0 on${unit}`, isAmount);
  return (fields: Fields, key: string) => read(fields, key) || undefined;
};

const readUnit = valueOr(
  undefined,
  'a unit such as mg',
  (value): value is string => typeof value === 'string' && value.trim() !== '',
);

const createReader =
  <Readers extends Readonly<Record<string, Reader<unknown>>>>(fields: Readers) =>
  (value: object) =>
    readFields(value, { fields }, inCode);

const READERS = {
  number: createReader({
    number: valueOr(Number.NaN, 'a number, with its unit in unit', isNumber),
    unit: (fields: Fields, key: string) => readUnit(fields, key)?.trim(),
    tolerance: amount(', in the unit of the number'),
    convert: readFactors,
  }),
  date: createReader({ date: valueOr('', 'a day as YYYY-MM-DD', isDay), tolerance_days: amount('') }),
  one_of: createReader({ one_of: readTexts }),
  regex: createReader({ regex: pattern }),
};

function readFactors(fields: Fields, key: string): Readonly<Record<string, number>> | undefined {
  const factors = fields.value(key);
  if (factors === undefined) return undefined;
  if (isFactors(factors) && fields.value('unit') !== undefined) return factors;
  const expected = 'a factor above 0 for each other unit, such as {mg/dL: 0.0555}, and a unit to convert to';
  complain(fields, key, expected);
  return undefined;
}

function isFactors(value: unknown): value is Readonly<Record<string, number>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((factor) => isNumber(factor) && factor > 0)
  );
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && readDate(value).ok;
}

function readTexts(fields: Fields, key: string): string[] {
  const list = fields.value(key);
  if (
    Array.isArray(list) &&
    list.length > 0 &&
    list.every((one) => typeof one === 'string' && plain(one) !== '')
  )
    return list.map((one: string) => one.trim());
  complain(fields, key, 'a list of texts (in YAML put quotes around numbers)');
  return [];
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

/**
 * Reads a date as milliseconds since 1970: 2024-03-15, 15 March 2024, March 15th, 2024, 15.03.2024. A date with slashes is read where only one order of day and month is possible.
 *
 * @example
 * ```ts
 * readDate('15 March 2024') // => { ok: true, day: Date.UTC(2024, 2, 15) }
 * readDate('03/04/2024') // => { ok: false, reason: 'ambiguous_date' }
 * readDate('30 February 2024') // => { ok: false, reason: 'not_a_date' }
 * ```
 */
export function readDate(text: string): Parsed<{ readonly day: number }> {
  const folded = normalised(text, 'flat', 'quote')
    .text.trim()
    .replace(/[.,;:!?]+$/, '');
  const no = { ok: false, reason: 'not_a_date' } as const;
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(folded);
  if (iso) return day(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(folded);
  if (dotted) return day(Number(dotted[3]), Number(dotted[2]), Number(dotted[1]));
  const slashed = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(folded);
  if (slashed) {
    const [a, b, year] = slashed.slice(1).map(Number) as [number, number, number];
    const ways = [...new Set([day(year, b, a), day(year, a, b)].flatMap((one) => (one.ok ? [one.day] : [])))];
    if (ways.length > 1) return { ok: false, reason: 'ambiguous_date' };
    return ways.length === 1 ? { ok: true, day: ways[0]! } : no;
  }
  const named =
    /^(\d{1,2})(?:st|nd|rd|th|\.)?\s(?:of\s)?([a-z]{3,9})\.?,?\s(\d{4})$/.exec(folded) ??
    /^([a-z]{3,9})\.?\s(\d{1,2})(?:st|nd|rd|th)?,?\s(\d{4})$/.exec(folded);
  if (named === null) return no;
  const [first, second, year] = named.slice(1) as [string, string, string];
  const word = /\d/.test(first) ? second : first;
  const month = MONTHS.findIndex((name) => name === word || (word.length >= 3 && name.startsWith(word)));
  return month < 0 ? no : day(Number(year), month + 1, Number(word === first ? second : first));
}

function day(year: number, month: number, date: number): ReturnType<typeof readDate> {
  const time = Date.UTC(year, month - 1, date);
  const is = new Date(time);
  const same = is.getUTCFullYear() === year && is.getUTCMonth() === month - 1 && is.getUTCDate() === date;
  return same ? { ok: true, day: time } : { ok: false, reason: 'not_a_date' };
}

const ABOUT = /^(?:about|approximately|approx\.?|around|circa|ca\.?|roughly|[~≈=])\s*/;
const NUMBER =
  /^([-+]?)(\d{1,3}(?:[ ,']\d{3})+(?![\d,])(?:\.\d+)?|\d*[.·]\d+|\d+,\d{1,2}(?!\d)|\d+,\d{4,}|\d+)/;
/**
 * One character that is a fraction, and the whole number before it: ½, 2½. Written with a slash it
 * may also be two numbers.
 */
const FRACTION = /(?:(\d+) ?)?([¼-¾⅐-⅞])/gu;

/**
 * Reads one number with its unit. Thousands may be grouped ("1,000", "2 500"), and a comma that
 * does not group is a decimal comma. A range, a comparison, several numbers or other words are not
 * read: a dose is not guessed.
 *
 * @example
 * ```ts
 * readNumber('about 2.5 mg') // => { ok: true, number: 2.5, unit: 'mg' }
 * readNumber('1,000 mg') // => { ok: true, number: 1000, unit: 'mg' }
 * readNumber('5-10 mg') // => { ok: false, reason: 'several_numbers' }
 * readNumber('< 5 mg') // => { ok: false, reason: 'not_a_number' }
 * ```
 */
export function readNumber(text: string): Parsed<{ readonly number: number; readonly unit: string | null }> {
  const folded = normalised(text.replace(FRACTION, asDecimal), 'flat', 'quote')
    .text.trim()
    .replace(/[.,;:!?]+$/, '')
    .replace(ABOUT, '');
  const found = NUMBER.exec(folded);
  if (found === null) return { ok: false, reason: 'not_a_number' };
  const unit = folded.slice(found[0].length).trim();
  if (/^[-–/]?\s*\d|\d\s*[-–]\s*\d|\b(?:to|or|and)\s+\d/.test(unit))
    return { ok: false, reason: 'several_numbers' };
  if (/^[.,]/.test(unit)) return { ok: false, reason: 'not_a_number' };
  const value = digitsValue(found[2]!);
  if (!Number.isFinite(value)) return { ok: false, reason: 'not_a_number' };
  return { ok: true, number: found[1] === '-' ? -value : value, unit: unit === '' ? null : unit };
}

function digitsValue(digits: string): number {
  const grouped = /^\d{1,3}(?:[ ,']\d{3})+(?:\.\d+)?$/.test(digits);
  return Number(grouped ? digits.replace(/[ ,']/g, '') : digits.replace(/[,·]/, '.'));
}

function asDecimal(_: string, whole: string | undefined, fraction: string): string {
  const [over, under] = fraction.normalize('NFKC').split('⁄');
  return String(Number(whole ?? 0) + Number(over) / Number(under));
}
