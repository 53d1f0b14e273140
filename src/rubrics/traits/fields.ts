import { KrisisError, nearNames, quoted } from '../../core/index.ts';

/** How keys are spelled: camelCase in code, snake_case in a file. */
export type Spelling = (key: string) => string;

export const inCode: Spelling = (key) => key;
export const inFile: Spelling = (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What a kind of trait may hold. */
export interface Shape {
  /** In camelCase, in the order in which a message lists them. */
  readonly keys: readonly string[];
  /** Keys that people try, with the reason why they are no fields here. */
  readonly refused?: Readonly<Record<string, string>>;
  /** Other names that are read, as older rubric files have them. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** The fields of one trait while it is checked. `problems` collects, so that all that is wrong is said at once. */
export interface Fields {
  readonly spell: Spelling;
  readonly problems: string[];
  readonly value: (key: string) => unknown;
}

/** Opens an object: unknown keys become problems, and values are found by their camelCase name. */
export function openFields(given: unknown, shape: Shape, spell: Spelling): Fields {
  const problems: string[] = [];
  const values = new Map<string, unknown>();
  const fields: Fields = { spell, problems, value: (key) => values.get(key) };
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    problems.push(`it is ${shown(given)}; expected an object with ${shape.keys.map(spell).join(', ')}`);
    return fields;
  }
  const known = new Map(shape.keys.map((key) => [spell(key), key]));
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

function unknownField(typed: string, shape: Shape, spell: Spelling): string {
  const refused = Object.entries(shape.refused ?? {}).find(([key]) => typed === spell(key));
  if (refused) return `${typed} ${refused[1]}`;
  const names = shape.keys.map(spell);
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

export function flag(fields: Fields, key: string, fallback: boolean): boolean {
  const value = fields.value(key);
  if (value === undefined) return fallback;
  if (typeof value === 'boolean') return value;
  complain(fields, key, 'true or false');
  return fallback;
}

export function oneOf<T extends string>(
  fields: Fields,
  key: string,
  allowed: readonly T[],
  fallback?: T,
): T | undefined {
  const value = fields.value(key);
  if (value === undefined && fallback !== undefined) return fallback;
  if (allowed.some((one) => one === value)) return value as T;
  complain(fields, key, `one of ${allowed.join(', ')}`);
  return undefined;
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

/** Adds a problem in the usual words: what was found, and what was expected. */
export function complain(fields: Fields, key: string, expected: string): void {
  const value = fields.value(key);
  const found = value === undefined ? 'is not given' : `is ${shown(value)}`;
  fields.problems.push(`${fields.spell(key)} ${found}; expected ${expected}`);
}

/** Throws when there are problems: all of them, after the place of the trait. */
export function refuseProblems(
  problems: readonly string[],
  place: string,
  name: string,
  given: unknown,
): void {
  if (problems.length === 0) return;
  const where = name === '' ? place : `${place} ${quoted(name)}`;
  const text = problems.length === 1 ? ` ${problems[0]}` : problems.map((line) => `\n  ${line}`).join('');
  throw new KrisisError(`${where}:${text}`, { code: 'ERR_RUBRIC_INVALID', value: given });
}

/** The form of files of a checked trait: its fields in snake_case; what is null or undefined is left out. */
export function fileForm(trait: object, { keys }: Shape): Record<string, unknown> {
  const values = new Map<string, unknown>(Object.entries(trait));
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = values.get(key) ?? null;
      return value === null ? [] : [[inFile(key), value]];
    }),
  );
}

/** A value as a message may show it: short, and harmless for a terminal. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}
