import { basename } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { plainLine } from '../../core/index.ts';
import { findWrong } from '../../review/index.ts';
import { findRun, RunFile } from '../../store/index.ts';
import { readReview, reviewPath } from '../../store/review/index.ts';
import { exclusionsText } from '../../suites/index.ts';
import { printMessage, printText } from '../print.ts';
import { noteSensitivity } from '../protected-data.ts';
import { writeOutput } from '../write-output.ts';
import { MAX_SHOWN } from './plan-text.ts';

const NOTES = `
A record is excluded when two or more reviewers agree that it is wrong, or on
a decision other than the suite's, or when a third person ruled so. Records that
one person named are listed, not excluded. Runs are not changed: krisis run,
report and compare accept the list as --exclude, for all models alike.

Examples:
  krisis review apply latest
  krisis report latest --exclude ckd-staging.exclusions.json
`;

/** `krisis review apply`: records that people found wrong become an exclusion list, and so a new version of the suite. */
export function applyCommand() {
  return new Command('apply')
    .description('write records found wrong to an exclusion list')
    .argument('<run>', 'run file, part of its name, or latest')
    .option('-o, --output <file>', 'file to write (default: SUITE.exclusions.json)')
    .option('--force', 'overwrite an existing file')
    .addHelpText('after', NOTES)
    .action(async (run, { output, force }) => {
      const path = findRun(run);
      noteSensitivity(RunFile.use(path, (file) => file.manifest()));
      const review = readReview(reviewPath(path));
      const { exclusions: list, namedByOne, lines } = findWrong(path, review);
      for (const { recordId, itemId, isSettled } of lines)
        printMessage(
          isSettled
            ? `! rubric line ${itemId} of ${plainLine(recordId, MAX_SHOWN)} was found wrong: correct it in the suite\n`
            : `! one person called rubric line ${itemId} of ${plainLine(recordId, MAX_SHOWN)} wrong: look at it\n`,
        );
      if (namedByOne.length > 0) printMessage(namedText(namedByOne));
      const n = list.records.length;
      if (n === 0)
        return printText(`no record was found wrong by two people or a ruling; nothing was written\n`);
      const target = output ?? `${basename(list.suite.replaceAll('/', '-'))}.exclusions.json`;
      await writeOutput(exclusionsText(list), target, force ?? false);
      printText(
        `${target}: ${n === 1 ? '1 record is' : `${n} records are`} excluded; suite version ${list.newSuiteHash.slice(0, 12)}\n`,
      );
      printMessage(`krisis run, report and compare accept it as --exclude ${target}\n`);
    });
}

/** How many records of one person's naming are listed. */
const MAX_NAMED = 10;

function namedText(ids: readonly string[]): string {
  const more = ids.length - MAX_NAMED;
  const listed = ids.slice(0, MAX_NAMED).map((id) => `  ${plainLine(id, MAX_SHOWN)}\n`);
  const n = ids.length === 1 ? '1 record' : `${ids.length} records`;
  return `! ${n} named by one person, not excluded:\n${listed.join('')}${more > 0 ? `  and ${more} more\n` : ''}`;
}
