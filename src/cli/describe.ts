import { suiteBaselines } from '../analyses/baselines/suite-baselines.ts';
import {
  baselinesObject,
  descriptionText,
  questionSuiteObject,
  questionSuiteText,
} from '../runs/describe-suite.ts';
import { descriptionObject, isQuestionSuite } from '../suites/index.ts';
import { loadConfig } from './config/load-config.ts';
import { print } from './print.ts';
import { addSuiteOptions, suiteCommand, suiteOf } from './suite-options.ts';
import { textWidth } from './terminal-width.ts';

/** `krisis describe SUITE`: what a suite holds, to be checked line by line. */
export function describeCommand(argv: readonly string[]) {
  const command = suiteCommand('describe')
    .description('show what a suite contains: counts, labels, baselines')
    .option('--json', 'print one JSON object on standard output')
    .action(async (name, flags) => {
      const config = await loadConfig(flags);
      const suite = await suiteOf(command, name, config.suites);
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
