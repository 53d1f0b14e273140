import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { KrisisError } from '../core/errors.ts';
import type { Domain } from '../domains/domain.ts';
import { DOMAINS } from '../domains/domains.ts';
import { BUILT_IN_SUITES, findSuite } from '../domains/find-suite.ts';
import type { AnySuite } from '../suites/questions/question-suite.ts';
import type { SuiteOption } from '../suites/suite-option.ts';
import { TABLE_OPTIONS } from '../suites/table/define-table-suite.ts';
import { addOptions, withConfigOptions } from './options/option.ts';
import { noteSensitivity } from './protected-data.ts';

const SUITE = `${BUILT_IN_SUITES.map(({ name }) => name).join(', ')}, a suite of your config, or a file: a table suite or open questions`;

/** A command that has a suite of its own, or something to say, when none is given. */
export function optionalSuiteCommand(name = 'suite', or = 'a domain (ckd) or all: several suites') {
  return withConfigOptions(new Command().argument(`[${name}]`, `${SUITE}; ${or}`));
}

/** Flags that only a suite reads, not the command itself. */
const SUITE_FLAGS = new WeakSet<object>();

/**
 * Adds the options that suites declare. Those of the suite in `argv` appear in the help under a heading of their own. Those of other domains are known but hidden, so
 * that one of them typed for the wrong suite gets an error that names the suite. Call it last: a flag that the command has already is left as it is.
 */
export function addSuiteOptions(command: CommandUnknownOpts, argv: readonly string[]): void {
  const named = argv.map(findDomain).find((domain) => domain !== undefined);
  if (named === undefined && argv.some(isSuiteFile)) {
    for (const [name, option] of Object.entries(TABLE_OPTIONS)) {
      addOptions(command, { [name]: { ...option, group: 'Options of table suites:' } });
      SUITE_FLAGS.add(command.options.at(-1)!);
    }
  }
  for (const domain of [...(named ? [named] : []), ...DOMAINS]) {
    for (const option of Object.values(domain.options)) {
      if (command.options.some(({ long }) => long === longFlag(option))) continue;
      addOptions(command, { option: { ...option, group: `Options of ${domain.name} suites:` } });
      const added = command.options.at(-1)!;
      SUITE_FLAGS.add(added);
      if (domain !== named) added.hideHelp();
    }
  }
  if (named === undefined) command.addHelpText('after', ({ command: shown }) => otherHelp(shown));
  else command.configureOutput({ outputError: (text, write) => write(withFlags(text, named)) });
}

/** The suite that a command was given, made with the options that were typed. */
export async function findTypedSuite(
  command: CommandUnknownOpts,
  name: string,
  own: readonly AnySuite[] | undefined,
  { isOneOfMany = false }: { readonly isOneOfMany?: boolean } = {},
): Promise<AnySuite> {
  const declared: Readonly<Record<string, SuiteOption>> = isSuiteFile(name)
    ? TABLE_OPTIONS
    : (findDomain(name)?.options ?? {});
  const attributes = new Map(command.options.map((option) => [option.long, option.attributeName()]));
  const typed = (option: SuiteOption) => {
    const attribute = attributes.get(longFlag(option))!;
    return command.getOptionValueSource(attribute) === 'cli' ? command.getOptionValue(attribute) : undefined;
  };
  const options = Object.entries(declared).map(([option, spec]) => [option, typed(spec)] as const);
  const suite = await findSuite(
    name,
    Object.fromEntries(options.filter(([, value]) => value !== undefined)),
    own,
  );
  noteSensitivity(suite);
  const flags = Object.values(declared).map(longFlag);
  const foreign = command.options.filter(
    (option) =>
      SUITE_FLAGS.has(option) &&
      !flags.includes(option.long!) &&
      command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  // Options of another domain are for the other suites of the command.
  if (foreign.length === 0 || isOneOfMany) return suite;
  const wrong = foreign.map(({ long }) => long).join(', ');
  throw new KrisisError(
    flags.length === 0
      ? `suite "${name}" takes no options, but got ${wrong}`
      : `suite "${name}" takes no ${wrong}; it takes ${flags.join(', ')}`,
    { code: 'ERR_SUITE_OPTION', value: wrong },
  );
}

/** Whether a name is that of a YAML file, which may define a table suite. */
function isSuiteFile(name: string): boolean {
  return /\.ya?ml$/i.test(name);
}

/** The domain of a suite's name; also of a mistyped task. */
function findDomain(name: string): Domain | undefined {
  return DOMAINS.find((domain) => name === domain.name || name.startsWith(`${domain.name}/`));
}

function longFlag({ flags }: SuiteOption): string {
  return flags.split(' ')[0]!;
}

function otherHelp(command: CommandUnknownOpts): string {
  const parents = command.parent?.parent ? `${command.parent.name()} ` : '';
  const [suite] = BUILT_IN_SUITES;
  return `\nBuilt-in suites have more options; to see them:\n  krisis ${parents}${command.name()} ${suite!.name} --help`;
}

/** An unknown option may be a suite's, mistyped. */
function withFlags(text: string, { name, options }: Domain): string {
  if (!text.includes('unknown option')) return text;
  return `${text}(${name} suites take ${Object.values(options).map(longFlag).join(', ')})\n`;
}
