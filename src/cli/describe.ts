import { loadConfig } from '../config/load-config.ts';
import { descriptionText } from '../reports/description-text.ts';
import { descriptionObject } from '../suites/description-json.ts';
import { findSuite } from '../suites/registry.ts';
import { suiteCommand, suiteOptions } from './suite-options.ts';

/** `krisis describe SUITE`: what is in a suite, for somebody who wants to check it line by line. */
export function describeCommand() {
  return suiteCommand('describe')
    .description('counts, distributions, deferral labels, missing values, provenance and hash of a suite')
    .option('--json', 'one JSON object on standard output')
    .action(async (name, flags) => {
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
