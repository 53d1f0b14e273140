import { Command } from '@commander-js/extra-typings';
import { readCaseFile } from '../conformance/case-file.ts';
import { runCases } from '../conformance/run-cases.ts';
import { EXIT } from './exit-codes.ts';
import { packageFile } from './package-files.ts';
import { print } from './print.ts';

/** The cases of the package, beside the sources and beside the build alike. */
const SHIPPED = ['metrics', 'act', 'clusters', 'review', 'rubrics', 'domains', 'guarantees', 'scores'].map(
  (name) => packageFile(`conformance/${name}.json`),
);

/** `krisis conformance [FILE...]`: do our functions give what the reference cases expect? */
export function conformanceCommand() {
  return new Command()
    .argument('[files...]', 'JSON files of reference cases (default: those of this package)')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText(
      'after',
      '\nExit codes: 0 all cases pass, 1 a case fails, 2 usage or bad input.\n\nExamples:\n  krisis conformance                 the cases that come with krisis\n  krisis conformance my-cases.json\n',
    )
    .action(async (files, { json }) => {
      const chosen = files.length === 0 ? SHIPPED : files;
      const outcomes = (await Promise.all(chosen.map(readCaseFile))).flatMap(runCases);
      const failed = outcomes.filter((outcome) => !outcome.passed);
      const passed = outcomes.length - failed.length;
      const lines = failed.map(
        ({ id, metric, expected, got }) =>
          `FAIL ${id} (${metric}): expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}\n`,
      );
      const text = `${lines.join('')}${passed} passed, ${failed.length} failed\n`;
      print(json, 'conformance', { passed, failed: failed.length, failures: failed }, text);
      if (failed.length > 0) process.exitCode = EXIT.found;
    });
}
