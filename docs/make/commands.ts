import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { COMMANDS } from '../../src/cli/commands.ts';
import { HEADINGS, isSecret } from '../../src/cli/help.ts';
import { type OptionSpec, typedAs } from '../../src/cli/options/option.ts';
import { RUN_OPTIONS } from '../../src/cli/options/run-options.ts';
import { SCORE_OPTIONS } from '../../src/cli/options/score-options.ts';
import { cell, NOTE, sentence, table } from './markdown.ts';

/** Every command with its arguments and options, and the keys of the config file that options have. */
export async function commandReference(): Promise<string> {
  const commands: {
    readonly name: string;
    readonly summary: string;
    readonly command: CommandUnknownOpts;
  }[] = [];
  for (const [name, { summary, load, parts }] of Object.entries(COMMANDS)) {
    const command = await load([]);
    if (parts === undefined) commands.push({ name, summary, command });
    for (const [part, listed] of Object.entries(parts ?? {}))
      commands.push({ name: `${name} ${part}`, summary: listed.summary, command: await listed.load([]) });
  }
  return [
    '# Command reference',
    '',
    NOTE,
    '',
    'Every command of Krisis with its options. `krisis help COMMAND` shows the same in the terminal, with examples. What is typed wins over [the config file](configuration.md). A setting is typed as `--set NAME=VALUE`.',
    '',
    '## Names of runs',
    '',
    'A command that takes a run accepts the path of a file, the name of a run under `.krisis/runs`, a part of a name that only one run has, or `latest`. `FOLDER/NAME` and `FOLDER/latest` are runs in another folder. A name that fits several runs lists them, with exit code 2.',
    ...commands.flatMap(({ name, summary, command }) => ['', ...describe(name, summary, command)]),
    '',
  ].join('\n');
}

function describe(name: string, summary: string, command: CommandUnknownOpts): string[] {
  const options = command.options.filter((option) => !isSecret(option));
  const keys = configKeys(name);
  return [
    `## krisis ${name}`,
    '',
    sentence(summary),
    '',
    ...['```text', `krisis ${name} ${command.usage()}`.trimEnd(), '```'],
    ...argumentLines(command),
    ...optionTable(options, keys),
    ...(name === 'run' ? settingTable() : []),
    ...command.commands.flatMap((part) => [
      '',
      ...describe(`${name} ${part.name()}`, part.description(), part),
    ]),
  ];
}

function argumentLines(command: CommandUnknownOpts): string[] {
  const described = command.registeredArguments.filter(({ description }) => description !== '');
  if (described.length === 0) return [];
  return ['', ...described.map((argument) => `- \`${argument.name()}\`: ${cell(argument.description)}`)];
}

function optionTable(options: readonly Option[], keys: ReadonlyMap<string, string>): string[] {
  const listed = options.filter(({ long }) => long !== '--help' && long !== '--help-all');
  if (listed.length === 0) return [];
  const hasKeys = listed.some(({ long }) => keys.has(long ?? ''));
  const head = ['option', ...(hasKeys ? ['config key'] : []), 'meaning'];
  const order = Object.values(HEADINGS) as readonly string[];
  const heading = ({ helpGroupHeading = HEADINGS.other }: Option) => order.indexOf(helpGroupHeading);
  const rows = [...listed]
    .sort((a, b) => heading(a) - heading(b))
    .map((option) => [
      `\`${option.flags}\``,
      ...(hasKeys ? [keys.get(option.long ?? '') ?? ''] : []),
      option.description,
    ]);
  return ['', ...table(head, rows)];
}

/** The settings of a run, which have no flag of their own. */
function settingTable(): string[] {
  const rows = Object.entries<OptionSpec>(RUN_OPTIONS).flatMap(([name, spec]) =>
    spec.isSetting
      ? [[`\`${typedAs(name, spec)}\``, spec.config ? `\`${spec.config}.${name}\`` : '', spec.description]]
      : [],
  );
  const head = ['setting', 'config key', 'meaning'];
  return ['', ...table(head, rows)];
}

/** The config keys of a command's options, by flag. */
function configKeys(name: string): ReadonlyMap<string, string> {
  const specs = { run: RUN_OPTIONS, score: SCORE_OPTIONS }[name] ?? {};
  const entries = Object.entries<OptionSpec>(specs);
  return new Map(
    entries.flatMap(([key, { flags, config, isSetting }]) =>
      config && !isSetting ? [[/--[\w-]+/.exec(flags)![0], `\`${config}.${key}\``] as const] : [],
    ),
  );
}
