import {
  type Command,
  type CommandUnknownOpts,
  InvalidArgumentError,
  Option,
} from '@commander-js/extra-typings';
import { z } from 'zod';
import { snakeCase } from '../../core/codec.ts';
import { KrisisError } from '../../core/errors.ts';
import { didYouMean } from '../../core/near-names.ts';
import { MAX_RESAMPLES } from '../../statistics/score-options.ts';
import { number, type SuiteOption, whole } from '../../suites/suite-option.ts';
import { usageError } from '../errors.ts';
import { HEADINGS } from '../help.ts';
import { quoted } from '../print.ts';

/** One option of a command: declared once, it is a flag, a line of the help and, with `config`, a key of the config file. */
export interface OptionSpec<T = unknown> extends SuiteOption<T> {
  /** A second flag that says the opposite: `--cache` beside `--no-cache`. Default: none. */
  readonly opposite?: Pick<SuiteOption, 'flags' | 'description'>;
  /** Turns what was typed into a value. Default: as `type` says. */
  readonly read?: (text: string, previous: unknown) => unknown;
  /** The section of the config file that has a key of the same name. Default: none. */
  readonly config?: 'run' | 'score' | null;
  /** The kind of task it means something for. Default: both. */
  readonly appliesTo?: 'labels' | 'text';
  /** The heading in the help. */
  readonly group?: string;
  /** Rarely changed: no flag of its own, but set by `--set NAME=VALUE`, or in the config file if it is a key there. `flags` is then `NAME=<value>`, or the flag on another command. */
  readonly isSetting?: boolean;
}

type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** The values of declared options, each absent unless given. */
export type ValuesOf<S extends OptionSpecs> = {
  readonly [K in keyof S]?: S[K] extends OptionSpec<infer T> ? T : never;
};

/** The values of those declared options that are keys of a section of the config file. */
export type ConfigOf<S extends OptionSpecs, Section extends OptionSpec['config']> = {
  readonly [K in keyof S as S[K] extends { readonly config: Section } ? K : never]?: S[K] extends OptionSpec<
    infer T
  >
    ? T
    : never;
};

/** A function that puts options under a heading of the help, and makes them keys of a section of the config file. `appliesTo` is the kind of task that they mean something for. */
function groupMaker(appliesTo?: 'labels' | 'text') {
  return <S extends OptionSpecs, const C extends OptionSpec['config']>(
    group: string,
    config: C,
    specs: S,
  ) => {
    const added = Object.entries(specs).map(([name, spec]) => [name, { ...spec, group, config, appliesTo }]);
    return Object.fromEntries(added) as { readonly [K in keyof S]: S[K] & { readonly config: C } };
  };
}

/** Declares options as settings. */
export function settings<S extends OptionSpecs>(specs: S): S {
  return withFlags(specs, true);
}

/** Gives settings flags of their own again, for a command on which they matter. */
export function flags<S extends OptionSpecs>(specs: S): S {
  return withFlags(specs, false);
}

function withFlags<S extends OptionSpecs>(specs: S, isSetting: boolean): S {
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, { ...spec, isSetting }])) as S;
}

export const inGroup = groupMaker();
export const labelGroup = groupMaker('labels');
export const questionGroup = groupMaker('text');

/** A number above 0. */
export function positiveNumber(flags: string, description: string): OptionSpec<number> {
  return number(flags, description, z.number().gt(0), 'a number above 0');
}

/** A number of bootstrap resamples. */
export function resamples(flags: string, description: string): OptionSpec<number> {
  const expected = `a whole number from 0 to ${MAX_RESAMPLES}`;
  return number(flags, description, z.int().min(0).max(MAX_RESAMPLES), expected);
}

const DURATION = /^(\d+(?:\.\d+)?)(s|m|h|d)?$/;
const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Seconds, typed as 90, 90s, 15m, 26h or 2d. */
export const duration = (flags: string, description: string): OptionSpec<number> => ({
  flags,
  description,
  type: 'text',
  schema: z.number().gt(0),
  expected: 'a duration such as 90s, 15m or 26h',
  read: (typed) => {
    const [, amount, unit = 's'] = DURATION.exec(typed) ?? [];
    return amount === undefined ? null : Number(amount) * SECONDS[unit as keyof typeof SECONDS];
  },
});

/** `a,b,c`; may be given several times. The config may also hold a single text. */
export function list(flags: string, description: string): OptionSpec<readonly string[]> {
  return {
    flags,
    description,
    schema: z.array(z.string().min(1)).min(1),
    expected: 'a name, or several separated by commas',
    type: 'text',
    read: namesIn,
  };
}

/** The names in a list as typed, after those of an earlier use of the option. */
export function namesIn(typed: string, previous: unknown): string[] {
  const names = typed.split(',').map((name) => name.trim());
  return [...(Array.isArray(previous) ? previous : []), ...names.filter((name) => name !== '')];
}

/** A number as typed; what is not a number fails the schema. */
export function numberIn(typed: string): unknown {
  return typed.trim() === '' ? typed : Number(typed);
}

const READ = { text: (typed: string) => typed, number: numberIn, switch: null };

/** Adds declared options to a command, each under its heading in the help. */
export function addOptions(command: CommandUnknownOpts, specs: OptionSpecs): void {
  addSettings(command, specs);
  for (const spec of Object.values(specs)) {
    if (spec.isSetting) continue;
    const option = new Option(spec.flags, spec.description);
    const read = spec.read ?? READ[spec.type];
    if (read !== null) option.argParser<unknown>((typed, previous) => checked(spec, read(typed, previous)));
    if (spec.group !== undefined) option.helpGroup(spec.group);
    command.addOption(option);
    if (spec.opposite !== undefined) addOpposite(command, option, spec.opposite);
  }
}

/** The one flag of all settings. */
const SET = '--set <name=value>';

/** Adds `--set`, where there are settings. An option of the same name as a setting is unknown, and the message says how to type it. */
function addSettings(command: CommandUnknownOpts, specs: OptionSpecs): void {
  const names = Object.keys(specs).filter((name) => specs[name]!.isSetting);
  if (names.length === 0) return;
  const read = (typed: string, previous: unknown) => {
    const [, key = typed, value] = /^([\w-]+)=(.*)$/s.exec(typed) ?? [];
    const name = names.find((one) => snakeCase(one) === snakeCase(key).replaceAll('-', '_'));
    const spec = specs[name ?? ''];
    if (name === undefined || spec === undefined || value === undefined)
      throw new InvalidArgumentError(
        `Expected NAME=VALUE${name === undefined ? `, with one of these names; ${didYouMean(key, names)}` : ''}.`,
      );
    const before = (previous ?? {}) as Readonly<Record<string, unknown>>;
    return { ...before, [name]: checked(spec, readSetting(spec, value)) };
  };
  command.addOption(
    new Option(SET, 'change a setting (krisis run --help-all lists them)')
      .argParser<unknown>(read)
      .helpGroup(HEADINGS.other),
  );
}

function readSetting({ read, type }: OptionSpec, typed: string): unknown {
  if (type === 'switch') return /^(true|false)$/.test(typed) ? typed === 'true' : typed;
  return read === undefined ? READ[type]!(typed) : read(typed, undefined);
}

/** A setting as it is typed: `rpm=<n>`, `reasoning=false`. */
function settingTerm(name: string, { flags }: OptionSpec): string {
  if (flags.includes('=')) return flags;
  const [value] = /<.+>/.exec(flags) ?? [];
  return `${name}=${value ?? 'true'}`;
}

/** Settings with what they change, as the end of a help text. */
export function settingsHelp(specs: OptionSpecs): string {
  const settings = Object.entries(specs).filter(([, { isSetting }]) => isSetting);
  const terms = settings.map(([name, spec]) => settingTerm(name, spec));
  const width = Math.max(...terms.map(({ length }) => length));
  const lines = settings.map(([, { description }], i) => `  ${terms[i]!.padEnd(width)}  ${description}`);
  return `\nSettings, for --set NAME=VALUE:\n${lines.join('\n')}`;
}

/** How an option is typed: `--base-url URL`, `--set price=IN,OUT`. */
export function typedAs(name: string, spec: OptionSpec): string {
  const shown = spec.isSetting ? `--set ${settingTerm(name, spec)}` : spec.flags;
  return shown.replace(/<(.+)>/, (_, value: string) => value.toUpperCase());
}

/** Of two flags for one value the later would win silently: together they are refused. */
function addOpposite(
  command: CommandUnknownOpts,
  option: Option,
  { flags, description }: NonNullable<OptionSpec['opposite']>,
): void {
  const opposite = new Option(flags, description);
  if (option.helpGroupHeading !== undefined) opposite.helpGroup(option.helpGroupHeading);
  command.addOption(opposite);
  const typed = new Set<string>();
  for (const { long } of [opposite, option])
    command.on(`option:${long!.slice(2)}`, () => {
      if (typed.add(long!).size > 1)
        throw usageError(`${opposite.long} and ${option.long} exclude each other: give one of them`);
    });
}

/** The value of an option, or commander's error that says what was expected. */
function checked<T>({ schema, expected }: Pick<OptionSpec<T>, 'schema' | 'expected'>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new InvalidArgumentError(`Expected ${expected}.`);
  return parsed.data;
}

/** The values that were typed on the command line; defaults of commander, such as `cache: true` for `--no-cache`, are left out. */
export function typedValues<S extends OptionSpecs>(command: CommandUnknownOpts, specs: S): ValuesOf<S> {
  const { set = {}, ...typed } = command.opts() as Record<string, unknown>;
  const values = Object.entries(typed).filter(
    ([name]) => Object.hasOwn(specs, name) && command.getOptionValueSource(name) === 'cli',
  );
  const changed = Object.entries(set as object).filter(([name]) => Object.hasOwn(specs, name));
  return Object.fromEntries([...values, ...changed]) as ValuesOf<S>;
}

/** Options about where a result goes and what is asked of it; all others say how files are read and scored. */
const OF_THE_OUTPUT = [
  ...['full', 'output', 'force', 'format', 'json', 'save', 'run', 'name', 'last'],
  ...['assert', 'nonInferior', 'margin', 'on', 'allowUncalibratedJudge', 'requireSignature'],
];

/** The options that were typed, as a shell takes them, so that a command that is suggested reads and scores the same. */
export function typedFlags(command: CommandUnknownOpts): string {
  const typed = command.options.flatMap((option) => {
    const name = option.attributeName();
    if (OF_THE_OUTPUT.includes(name) || command.getOptionValueSource(name) !== 'cli') return [];
    const value: unknown = command.getOptionValue(name);
    if (typeof value === 'boolean') return value === option.negate ? [] : [option.long];
    return [`${option.long} ${quoted(typedText(value))}`];
  });
  return typed.map((flag) => ` ${flag}`).join('');
}

function typedText(value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map((pair) => pair.join('='))
    .join(',');
}

/** The keys that declared options add to a section of the config file. */
export function configKeys(specs: OptionSpecs, section: 'run' | 'score'): Record<string, z.ZodType> {
  const own = Object.entries(specs).filter(([, { config }]) => config === section);
  return Object.fromEntries(own.map(([name, { schema }]) => [name, schema.optional()]));
}

/** The kind of task that each option means something for; undefined for both. */
export function appliesTo(specs: OptionSpecs): Record<string, OptionSpec['appliesTo']> {
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, spec.appliesTo]));
}

/** The options of a command that reads a config. */
export interface ConfigFlags {
  readonly config?: string | undefined;
  readonly trustConfig?: boolean | undefined;
}

/** Adds the options of a command that reads a config. */
export function withConfigOptions<Args extends unknown[], Opts extends Record<string, unknown>>(
  command: Command<Args, Opts>,
) {
  return command
    .option('--config <file>', 'config file (default: krisis.config.* in this folder)')
    .option('--trust-config', 'run krisis.config.ts of this folder without asking');
}

/** What a run of the other kind has, and what one of this kind has. */
const KIND_WORDS = {
  text: { wanted: 'with labels', found: 'open questions' },
  labels: { wanted: 'of open questions', found: 'labels' },
};

/**
 * Refuses an option that means nothing for the suite or run at hand: ignoring it in silence would look as if it had worked.
 * `appliesTo` names the kind that an option is for; options that it does not name are for both.
 */
export function refuseIgnored(
  given: object,
  appliesTo: Readonly<Record<string, OptionSpec['appliesTo']>>,
  kind: 'labels' | 'text',
  subject: string,
  specs: OptionSpecs = {},
): void {
  const ignored = Object.entries(given).find(
    ([name, value]) => value !== undefined && (appliesTo[name] ?? kind) !== kind,
  );
  if (ignored === undefined) return;
  const [name] = ignored;
  const option = `--${specs[name]?.isSetting ? `set ${name}` : snakeCase(name).replaceAll('_', '-')}`;
  const { wanted, found } = KIND_WORDS[kind];
  throw new KrisisError(`${option} is for runs ${wanted}, and ${subject} has ${found}: leave it out`, {
    code: 'ERR_OPTION_NOT_APPLICABLE',
    value: option,
  });
}

/** A function that reads a typed value as a declared option does, or throws commander's error. */
function valueReader<T>({ read, type, schema, expected }: OptionSpec<T>) {
  return (typed: string, previous?: T): T =>
    checked({ schema, expected }, read?.(typed, previous) ?? (type === 'number' ? numberIn(typed) : typed));
}

export const wholeNumber = (min: number) => valueReader(whole('', '', min));
export const shareBetween0And1 = valueReader(
  number('', '', z.number().gt(0).lt(1), 'a number between 0 and 1, such as 0.05 or 0.9'),
);
export const shareUpTo1 = valueReader(number('', '', z.number().min(0).max(1), 'a number from 0 to 1'));
export const readDuration = valueReader(duration('', ''));
export const readResamples = valueReader(resamples('', ''));
export const readNames = valueReader(list('', ''));
