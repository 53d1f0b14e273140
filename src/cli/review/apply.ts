import { basename } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { plainLine } from '../../core/index.ts';
import { findExclusions, linesFoundWrong } from '../../review/index.ts';
import { findRun, RunFile } from '../../store/index.ts';
import { readReview, reviewPath } from '../../store/review/index.ts';
import { exclusionsText } from '../../suites/index.ts';
import { printMessage, printText } from '../print.ts';
import { noteSensitivity } from '../protected-data.ts';
import { writeOutput } from '../write-output.ts';

const NOTES = `
A record is excluded when two or more reviewers agree on another decision than
the suite's, when a third person ruled so, or when it was marked as wrong. Runs
are not changed: krisis run and krisis report take the list with --exclude, for
all models alike.

Examples:
  krisis review apply latest
  krisis report latest --exclude ckd-staging.exclusions.json
`;

/** `krisis review apply`: records that people found wrong become an exclusion list, and so a new version of the suite. */
export function applyCommand() {
  return new Command('apply')
    .description('write records found wrong to an exclusion list')
    .argument('<run>', 'run file, part of its name, or latest')
    .option('-o, --output <file>', 'where to (default: SUITE.exclusions.json)')
    .option('--force', 'write over an existing file')
    .addHelpText('after', NOTES)
    .action(async (run, { output, force }) => {
      const path = findRun(run);
      noteSensitivity(RunFile.use(path, (file) => file.manifest()));
      const review = readReview(reviewPath(path));
      const list = findExclusions(path, review);
      for (const { recordId, itemId } of linesFoundWrong(review))
        printMessage(
          `! rubric line ${itemId} of ${plainLine(recordId, 80)} was found wrong: mend it in the suite\n`,
        );
      const n = list.records.length;
      if (n === 0) return printText('no record was found wrong; nothing was written\n');
      const target = output ?? `${basename(list.suite.replaceAll('/', '-'))}.exclusions.json`;
      await writeOutput(exclusionsText(list), target, force ?? false);
      printText(
        `${target}: ${n === 1 ? '1 record is' : `${n} records are`} excluded; suite version ${list.newSuiteHash.slice(0, 12)}\n`,
      );
      printMessage(`krisis run and krisis report take it with --exclude ${target}\n`);
    });
}
