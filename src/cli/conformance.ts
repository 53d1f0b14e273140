import { Command } from '@commander-js/extra-typings';
import { readCaseFile, runCases } from '../conformance/index.ts';
import { print } from './print.ts';

/** `krisis conformance FILE`: do our functions give what the reference cases expect? */
export function conformanceCommand() {
  return new Command('conformance')
    .description('check the functions of metrics and rubrics against a file of reference cases')
    .argument('<file...>', 'JSON files of reference cases')
    .option('--json', 'one JSON object on standard output')
    .addHelpText(
      'after',
      '\nExit code 1 if any case fails. The package ships its own cases: conformance/metrics.json, conformance/rubrics.json',
    )
    .action(async (files, { json }) => {
      const outcomes = (await Promise.all(files.map(readCaseFile))).flatMap(runCases);
      const failed = outcomes.filter((outcome) => !outcome.passed);
      const passed = outcomes.length - failed.length;
      const lines = failed.map(
        ({ id, metric, expected, got }) =>
          `FAIL ${id} (${metric}): expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}\n`,
      );
      const text = `${lines.join('')}${passed} passed, ${failed.length} failed\n`;
      print(json, { passed, failed: failed.length, failures: failed }, text);
      if (failed.length > 0) process.exitCode = 1;
    });
}
