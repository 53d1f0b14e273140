import { type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { z } from 'zod';

/** One option of a command: declared once, it is a flag, a line of the help and, with `config`, a key of the config file. */
export interface OptionSpec<T = unknown> {
  /** As commander writes it: `-m, --model <names>`. */
  readonly flags: string;
  readonly description: string;
  /** What the value must be, on the command line and in the config file. */
  readonly schema: z.ZodType<T>;
  /** Turns what was typed into a value; null for a flag without a value. */
  readonly read: ((text: string, previous: unknown) => unknown) | null;
  /** How the message for a wrong value ends: "Expected a number above 0." */
  readonly expected: string;
  /** The section of the config file that has a key of the same name. Default: none. */
  readonly config?: 'run' | 'score';
  /** The kind of task it means something for. Default: both. */
  readonly appliesTo?: 'labels' | 'text';
  /** The heading in the help. */
  readonly group?: string;
}

type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** The values of declared options, each absent unless given. */
export type ValuesOf<S extends OptionSpecs> = {
  readonly [K in keyof S]?: S[K] extends OptionSpec<infer T> ? T : never;
};

type Rest = Pick<OptionSpec, 'config' | 'appliesTo' | 'group'>;

/** A number: `--budget 2.5`. */
export function number(
  flags: string,
  description: string,
  schema: z.ZodType<number>,
  expected: string,
  rest: Rest = {},
): OptionSpec<number> {
  return { flags, description, schema, expected, ...rest, read: numberIn };
}

/** A whole number of at least `minimum`: `--limit 100`. */
export function wholeNumber(
  flags: string,
  description: string,
  minimum: number,
  rest: Rest = {},
): OptionSpec<number> {
  return number(flags, description, z.int().min(minimum), `a whole number, ${minimum} or more`, rest);
}

/** A number above 0. */
export function positiveNumber(flags: string, description: string, rest: Rest = {}): OptionSpec<number> {
  return number(flags, description, z.number().gt(0), 'a number above 0', rest);
}

/** Any text: a name, a path, an address. */
export function text(flags: string, description: string, rest: Rest = {}): OptionSpec<string> {
  return { flags, description, schema: z.string(), expected: 'text', ...rest, read: (typed) => typed };
}

/** `a,b,c`; may be given several times. The config may also hold a single text. */
export function list(flags: string, description: string, rest: Rest = {}): OptionSpec<readonly string[]> {
  return {
    flags,
    description,
    schema: z.array(z.string().min(1)).min(1),
    expected: 'a name, or several separated by commas',
    ...rest,
    read: (typed, previous) => [
      ...(Array.isArray(previous) ? previous : []),
      ...typed
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    ],
  };
}

/** One of a few names. */
export function choice<const T extends readonly string[]>(
  flags: string,
  description: string,
  names: T,
  rest: Rest = {},
): OptionSpec<T[number]> {
  return {
    flags,
    description,
    schema: z.enum(names),
    expected: `one of ${names.join(', ')}`,
    ...rest,
    read: (typed) => typed,
  };
}

/** A flag without a value: `--json`, `--no-cache`. */
export function flag(flags: string, description: string, rest: Rest = {}): OptionSpec<boolean> {
  return { flags, description, schema: z.boolean(), expected: 'true or false', ...rest, read: null };
}

/** A number as typed; what is not a number fails the schema. */
export function numberIn(typed: string): unknown {
  return typed.trim() === '' ? typed : Number(typed);
}

/** Adds declared options to a command, each under its heading in the help. */
export function addOptions(command: CommandUnknownOpts, specs: OptionSpecs): void {
  for (const spec of Object.values(specs)) {
    const { flags, description, read } = spec;
    const option = new Option(flags, description);
    if (read !== null) option.argParser<unknown>((typed, previous) => checked(spec, read(typed, previous)));
    if (spec.group !== undefined) option.helpGroup(spec.group);
    command.addOption(option);
  }
}

function checked({ schema, expected }: OptionSpec, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new InvalidArgumentError(`Expected ${expected}.`);
  return parsed.data;
}

/** The values that were typed on the command line; defaults of commander, such as `cache: true` for `--no-cache`, are left out. */
export function typedValues<S extends OptionSpecs>(command: CommandUnknownOpts, specs: S): ValuesOf<S> {
  const typed = Object.entries(command.opts()).filter(
    ([name]) => Object.hasOwn(specs, name) && command.getOptionValueSource(name) === 'cli',
  );
  return Object.fromEntries(typed) as ValuesOf<S>;
}

/** The keys that declared options add to a section of the config file. */
export function configKeys(specs: OptionSpecs, section: 'run' | 'score'): Record<string, z.ZodType> {
  const own = Object.entries(specs).filter(([, { config }]) => config === section);
  return Object.fromEntries(own.map(([name, { schema }]) => [name, schema.optional()]));
}
