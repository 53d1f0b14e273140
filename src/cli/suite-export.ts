import { Command } from '@commander-js/extra-typings';
import { KrisisError } from '../core/index.ts';
import { isQuestionSuite, suiteHash } from '../suites/index.ts';
import { loadConfig } from './config/load-config.ts';
import { printMessage } from './print.ts';
import { addSuiteOptions, suiteCommand, suiteOf } from './suite-options.ts';
import { writeOutput } from './write-output.ts';

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
      const suite = await suiteOf(exportCommand, name, config.suites);
      if ((suite.sensitivity ?? 'protected') === 'protected' && !flags.includeProtected) {
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
  return new Command('suite').description('export the records of a suite').addCommand(exportCommand);
}
