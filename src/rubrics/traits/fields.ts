import { RE2JS, RE2JSException } from 're2js';
import { snakeCase, snakeKeys } from '../../core/codec.ts';
import { isObject } from '../../core/collections.ts';
import { KrisisError } from '../../core/errors.ts';
import { nearNames } from '../../core/near-names.ts';
import { quoted, shown } from '../../core/plain-text.ts';

/** How keys are spelled: camelCase in code, snake_case in a file. */
export const inFile: (key: string) => string = snakeCase;
export const inCode: typeof inFile = (key) => key;

/** Reads one field of an object; what is wrong with it becomes a problem. */
export type Reader<T> = (fields: Fields, key: string) => T;

/** What a kind of trait, or a line of a file, may hold. */
interface Shape<Readers = Readonly<Record<string, Reader<unknown>>>> {
  /** By camelCase name, in the order in which a message lists them. */
  readonly fields: Readers;
  /** Keys that people try, with the reason why they are no fields here. */
  readonly refused?: Readonly<Record<string, string>>;
  /** Other names that are read, as Karenina's rubric files have them. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** What reading an object of a shape gives. A field that can be read as undefined may be left out. */
type ReadShape<Readers extends Readonly<Record<string, Reader<unknown>>>> = {
  [Key in keyof Readers as undefined extends ReturnType<Readers[Key]> ? never : Key]: ReturnType<
    Readers[Key]
  >;
} & {
  [Key in keyof Readers as undefined extends ReturnType<Readers[Key]> ? Key : never]?: Exclude<
    ReturnType<Readers[Key]>,
    undefined
  >;
};

/** The fields of one trait while it is checked. `problems` collects, so that all that is wrong is said at once. */
export interface Fields {
  readonly spell: typeof inFile;
  readonly problems: string[];
  readonly value: (key: string) => unknown;
}

/** Reads an object field by field. A field that is read as undefined is left out; do not use the result when there are problems. */
export function readFields<Readers extends Readonly<Record<string, Reader<unknown>>>>(
  given: unknown,
  shape: Shape<Readers>,
  spell: typeof inFile,
): { readonly fields: Fields; readonly read: ReadShape<Readers> } {
  const fields = openFields(given, shape, spell);
  const read = Object.entries(shape.fields)
    .map(([key, reader]) => [key, reader(fields, key)] as const)
    .filter(([, value]) => value !== undefined);
  return { fields, read: Object.fromEntries(read) as ReadShape<Readers> };
}

/**
 * Reads a trait. `check` adds what is wrong between fields.
 *
 * @throws KrisisError that begins with `place` and lists every problem.
 */
export function readTrait<Readers extends Readonly<Record<string, Reader<unknown>>>>(
  given: unknown,
  shape: Shape<Readers>,
  spell: typeof inFile,
  place: string,
  check: (fields: Fields, read: ReadShape<Readers>) => void = () => {},
): ReadShape<Readers> {
  const { fields, read } = readFields(given, shape, spell);
  check(fields, read);
  if (fields.problems.length === 0) return read;
  const name = fields.value('name');
  const hasName = typeof name === 'string' && name.trim() !== '';
  throw invalidRubric(hasName ? `${place} ${quoted(name.trim())}` : place, fields.problems, given);
}

/** Opens an object: unknown keys become problems, and values are found by their camelCase name. */
function openFields(given: unknown, shape: Shape, spell: typeof inFile): Fields {
  const problems: string[] = [];
  const values = new Map<string, unknown>();
  const fields: Fields = { spell, problems, value: (key) => values.get(key) };
  const keys = Object.keys(shape.fields);
  if (!isObject(given)) {
    problems.push(`it is ${shown(given)}; expected an object with ${keys.map(spell).join(', ')}`);
    return fields;
  }
  const known = new Map(keys.map((key) => [spell(key), key]));
  for (const [typed, key] of Object.entries(shape.aliases ?? {})) known.set(typed, key);
  for (const [typed, value] of Object.entries(given)) {
    const key = known.get(typed);
    if (key === undefined) problems.push(unknownField(typed, shape, spell));
    else if (value === undefined) continue;
    else if (values.has(key)) problems.push(`${spell(key)} is given twice, once as ${typed}; keep one`);
    else values.set(key, value);
  }
  return fields;
}

function unknownField(typed: string, shape: Shape, spell: typeof inFile): string {
  const refused = Object.entries(shape.refused ?? {}).find(([key]) => typed === spell(key));
  if (refused) return `${typed} ${refused[1]}`;
  const names = Object.keys(shape.fields).map(spell);
  const near = nearNames(typed, names)[0];
  const hint = near === undefined ? 'remove it' : `did you mean ${near}?`;
  return `unknown field ${quoted(typed)}; ${hint} The fields are ${names.join(', ')}`;
}

/** A text that may be left out; blank is as good as none. */
export function optionalText(fields: Fields, key: string): string | null {
  const value = fields.value(key);
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') {
    complain(fields, key, 'text, or nothing');
    return null;
  }
  return value.trim() === '' ? null : value.trim();
}

/** A value that may be left out; another one than expected is a problem. */
export function valueOr<T, Fallback>(
  fallback: Fallback,
  expected: string,
  isValid: (value: unknown) => value is T,
): Reader<T | Fallback> {
  return (fields, key) => {
    const value = fields.value(key);
    if (value === undefined || isValid(value)) return value ?? fallback;
    complain(fields, key, expected);
    return fallback;
  };
}

export function flag(fallback: boolean): Reader<boolean> {
  return valueOr(fallback, 'true or false', (value) => typeof value === 'boolean');
}

/** Whether a value is a number that can be computed with. */
export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** One of several words. Without a fallback it must be given. */
export function oneOf<T extends string>(allowed: readonly T[], fallback?: T): Reader<T> {
  return (fields, key) => {
    const given = fields.value(key);
    const value = given === undefined ? fallback : given;
    if (!allowed.some((one) => one === value)) complain(fields, key, `one of ${allowed.join(', ')}`);
    return value as T;
  };
}

/** The name of a trait. Reports write `trait.metric`, so that a dot in it could not be told from theirs. */
export function traitName(fields: Fields): string {
  const value = fields.value('name');
  if (typeof value !== 'string' || value.trim() === '') {
    complain(fields, 'name', 'a name that is not blank');
    return '';
  }
  if (value.includes('.')) {
    fields.problems.push(
      `name ${quoted(value)} has a dot in it, which separates trait and metric in reports; write ${quoted(value.trim().replaceAll('.', '_'))}`,
    );
  }
  return value.trim();
}

/** A regular expression in the syntax of RE2, whose time is linear in the text. */
export function pattern(fields: Fields, key: string): string {
  const value = fields.value(key);
  if (typeof value !== 'string' || value === '') {
    complain(fields, key, 'a regular expression that is not empty');
    return '';
  }
  try {
    compilePattern(value, true);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    fields.problems.push(`${fields.spell(key)} ${quoted(value)}: ${whyRefused(value, error)}`);
  }
  return value;
}

function whyRefused(value: string, error: Error): string {
  if (/\(\?(<?[=!])/.test(value))
    return 'lookahead and lookbehind are not supported, because they can hang a run; match the words themselves, or use invert in a regex trait';
  if (/\\([1-9]|k<)|\(\?P=/.test(value))
    return 'backreferences are not supported, because they can hang a run; write out the alternatives';
  return `${error.message.replace(/^error parsing regexp: /, '')}; expected a pattern in the syntax of RE2`;
}

export function compilePattern(value: string, caseSensitive: boolean): RE2JS {
  return RE2JS.compile(value, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
}

/** Adds a problem in the usual words: what was found, and what was expected. */
export function complain(fields: Fields, key: string, expected: string): void {
  const value = fields.value(key);
  const found = value === undefined ? 'is not given' : `is ${shown(value)}`;
  fields.problems.push(`${fields.spell(key)} ${found}; expected ${expected}`);
}

/** One error for all problems of a trait or a rubric, after its place. */
export function invalidRubric(where: string, problems: readonly string[], value: unknown): KrisisError {
  const text =
    problems.length === 1
      ? ` ${problems[0]}`
      : problems.map((problem) => `\n  ${problem.replaceAll('\n', '\n  ')}`).join('');
  return new KrisisError(`${where}:${text}`, { code: 'ERR_RUBRIC_INVALID', value });
}

/** The form of files of a checked trait: its fields in snake_case; what is null or undefined is left out. */
export function fileForm(trait: object, { fields }: Shape): object {
  const values = new Map<string, unknown>(Object.entries(trait));
  const given = Object.keys(fields).filter((key) => (values.get(key) ?? null) !== null);
  return snakeKeys(Object.fromEntries(given.map((key) => [key, values.get(key)])));
}
