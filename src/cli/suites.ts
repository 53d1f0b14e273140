import { Command } from '@commander-js/extra-typings';
import { suiteBaselines } from '../analyses/baselines/suite-baselines.ts';
import { KrisisError } from '../core/index.ts';
import { BUILT_IN_SUITES } from '../domains/find-suite.ts';
import {
  baselinesObject,
  descriptionText,
  questionSuiteObject,
  questionSuiteText,
} from '../runs/describe-suite.ts';
import { descriptionObject, isQuestionSuite, QUESTION_SUITES, suiteHash } from '../suites/index.ts';
import { loadConfig } from './config/load-config.ts';
import { withConfigOptions } from './options/option.ts';
import { docsPage } from './package-files.ts';
import { print, printMessage, textWidth } from './print.ts';
import { isProtected } from './protected-data.ts';
import { addSuiteOptions, findTypedSuite, suiteCommand } from './suite-options.ts';
import { writeOutput } from './write-output.ts';

/** `krisis suites`: what there is to run. */
export function suitesCommand() {
  return withConfigOptions(new Command())
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', '\nExamples:\n  krisis suites\n  krisis suites --json\n')
    .action(async ({ json, ...flags }) => {
      const own = (await loadConfig(flags)).suites ?? [];
      const suites = [
        ...[...BUILT_IN_SUITES, ...QUESTION_SUITES].map(({ name, summary }) => ({
          name,
          summary,
          from: 'krisis',
        })),
        ...own.map(({ name, task }) => ({
          name,
          summary: `labels: ${task.labels.join(', ')}`,
          from: 'config',
        })),
      ];
      const width = Math.max(...suites.map(({ name }) => name.length));
      const lines = suites.map(({ name, summary }) => `${name.padEnd(width)}  ${summary}\n`);
      const next = `krisis describe ${suites[0]!.name} shows what a suite contains. Your own data: ${docsPage('your-own-data.md')}`;
      print(json, { suites }, `${lines.join('')}\n${next}\n`);
    });
}

/** `krisis suite export SUITE`: the records themselves, one JSON object a line. */
export function suiteParentCommand(argv: readonly string[]) {
  const exportCommand = suiteCommand('export')
    .description('write the records of a suite as JSONL: id, features, label, metadata')
    .option('-o, --output <file>', 'write to a file (default: standard output)')
    .option('--force', 'overwrite an existing file')
    .option('--training', 'the training part instead of the evaluation part')
    .option('--include-protected', 'write patient data of a protected suite too')
    .action(async (name, flags) => {
      const config = await loadConfig(flags);
      const suite = await findTypedSuite(exportCommand, name, config.suites);
      if (isProtected(suite) && !flags.includeProtected) {
        throw new KrisisError(
          `suite "${name}" is protected: its patient data is written only with --include-protected`,
          { code: 'ERR_SUITE_PROTECTED', value: name },
        );
      }
      const records = flags.training ? ((await suite.training?.()) ?? []) : await suite.load();
      await writeOutput(
        records.map((record) => `${JSON.stringify(record)}\n`).join(''),
        flags.output,
        flags.force ?? false,
      );
      const hash = isQuestionSuite(suite) ? suite.hash : suiteHash(suite.task, records);
      printMessage(`${records.length} records, suite hash ${hash}\n`);
    });
  addSuiteOptions(exportCommand, argv);
  exportCommand.addHelpText('after', '\nExamples:\n  krisis suite export ckd/staging -o records.jsonl\n');
  return new Command().addCommand(exportCommand);
}

/** `krisis describe SUITE`: what a suite holds, to be checked line by line. */
export function describeCommand(argv: readonly string[]) {
  const command = suiteCommand()
    .option('--json', 'print one JSON object on standard output')
    .action(async (name, flags) => {
      const config = await loadConfig(flags);
      const suite = await findTypedSuite(command, name, config.suites);
      if (isQuestionSuite(suite))
        return print(flags.json, questionSuiteObject(suite), questionSuiteText(suite, textWidth()));
      const description = await suite.describe();
      const baselines = await suiteBaselines(suite);
      print(
        flags.json,
        { ...descriptionObject(description), ...baselinesObject(baselines) },
        descriptionText(description, suite.task, baselines, textWidth()),
      );
    });
  addSuiteOptions(command, argv);
  command.addHelpText(
    'after',
    '\nExamples:\n  krisis describe ckd/staging\n  krisis describe my-table.yaml --json\n',
  );
  return command;
}
