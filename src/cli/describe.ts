import { descriptionText, questionSuiteObject, questionSuiteText } from '../reports/index.ts';
import { descriptionObject, findQuestionSuite, findSuite } from '../suites/index.ts';
import { loadConfig } from './config/load-config.ts';
import { isQuestionSuite } from './is-question-suite.ts';
import { suiteCommand, suiteOptions } from './suite-options.ts';

/** `krisis describe SUITE`: what is in a suite, for somebody who wants to check it line by line. */
export function describeCommand() {
  return suiteCommand('describe')
    .description('counts, distributions, deferral labels, missing values, provenance and hash of a suite')
    .option('--json', 'one JSON object on standard output')
    .action(async (name, flags) => {
      if (await isQuestionSuite(name)) {
        const questions = await findQuestionSuite(name);
        const text = flags.json
          ? `${JSON.stringify(questionSuiteObject(questions), null, 2)}\n`
          : questionSuiteText(questions);
        process.stdout.write(text);
        return;
      }
      const config = await loadConfig(flags.config);
      const suite = await findSuite(name, suiteOptions(flags), config.suites);
      const description = await suite.describe();
      process.stdout.write(
        flags.json
          ? `${JSON.stringify(descriptionObject(description), null, 2)}\n`
          : descriptionText(description, suite.task),
      );
    });
}
