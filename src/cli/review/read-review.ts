import { basename } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { snakeKeys } from '../../core/codec.ts';
import { plainLine } from '../../core/plain-text.ts';
import { counted } from '../../core/wording.ts';
import { findWrong } from '../../review/exclusions.ts';
import { reviewStatus } from '../../review/status.ts';
import { findRun } from '../../store/find-run.ts';
import { readReview, reviewPath } from '../../store/review/review-file.ts';
import { RunFile } from '../../store/run-file.ts';
import { exclusionsText } from '../../suites/exclusions.ts';
import { print, printMessage, printText } from '../print.ts';
import { isProtected, noteSensitivity } from '../protected-data.ts';
import { writeOutput } from '../write-output.ts';
import { drawnText, MAX_SHOWN, targetWords } from './plan-text.ts';

/** `krisis review status`: how far a review is. */
export function statusCommand() {
  return new Command('status')
    .description('show the progress of a review')
    .argument('<run>', 'run file, part of its name, or latest')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', '\nExamples:\n  krisis review status latest\n')
    .action((run, { json }) => {
      const review = readReview(reviewPath(findRun(run)));
      const status = reviewStatus(review);
      const plans = review.plans.map((plan, i) => {
        const { n_labelled, n_drawn, n_begun, n_agreed, n_disputed, n_ruled } = status.plans[i]!;
        const draws = review.draws.filter((draw) => draw.plan === plan.id);
        return [
          drawnText(plan, draws).trimEnd(),
          `${n_labelled} of ${n_drawn} ${targetWords(plan.targets, n_drawn)} have all their labels, ${n_begun} one of two`,
          `${n_agreed} agreed, ${n_disputed} disputed, ${n_ruled} ruled on by a third person`,
        ].join('\n');
      });
      const raters = status.raters.map(
        ({ rater, name, n_labels }) =>
          `${rater}${name === null ? '' : ` (${plainLine(name, MAX_SHOWN)})`}: ${n_labels} labels`,
      );
      const notBlind =
        status.n_not_blind > 0
          ? [`${status.n_not_blind} labels were not blind: excluded from agreement and correction`]
          : [];
      const text = [...(plans.length === 0 ? ['no plan has been drawn yet'] : plans), ...notBlind, ...raters];
      print(json, 'review', status, `${text.join('\n')}\n`);
    });
}

/** `krisis review export`: every label as it was given, one JSON object a line. */
export function exportCommand() {
  return new Command('export')
    .description('write all labels as JSONL, including superseded ones')
    .argument('<run>', 'run file, part of its name, or latest')
    .option('-o, --output <file>', 'write to a file (default: standard output)')
    .option('--include-text', 'include notes and reasons of protected runs')
    .option('--force', 'overwrite an existing file')
    .addHelpText('after', '\nExamples:\n  krisis review export latest -o labels.jsonl\n')
    .action(async (run, { output, includeText, force }) => {
      const path = findRun(run);
      const manifest = RunFile.use(path, (file) => file.manifest());
      noteSensitivity(manifest);
      const isHidden = isProtected(manifest) && !includeText;
      const { events, raters } = readReview(reviewPath(path));
      const names = new Map(raters.map(({ id, name }) => [id, name]));
      const lines = events.map((event) => {
        const text = isHidden ? { reason: null, note: null } : {};
        return `${JSON.stringify(snakeKeys({ ...event, ...text, raterName: names.get(event.rater) ?? null }))}\n`;
      });
      await writeOutput(lines, output, force ?? false);
      printMessage(
        `${events.length} labels${isHidden ? ', without notes and reasons: the run is protected (--include-text adds them)' : ''}\n`,
      );
    });
}

const NOTES = `
A case is excluded when two or more reviewers agree that it is wrong, or on
a decision other than the suite's, or when a third person ruled so. Cases that
one person named are listed, not excluded. Runs are not changed: krisis run,
report and compare accept the list as --exclude, for all models alike.

Examples:
  krisis review apply latest
  krisis report latest --exclude ckd-staging.exclusions.json
`;

/** `krisis review apply`: records that people found wrong become an exclusion list, and so a new version of the suite. */
export function applyCommand() {
  return new Command('apply')
    .description('write cases found wrong to an exclusion list')
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
        return printText(`no case was found wrong by two people or a ruling; nothing was written\n`);
      const target = output ?? `${basename(list.suite.replaceAll('/', '-'))}.exclusions.json`;
      await writeOutput(exclusionsText(list), target, force ?? false);
      printText(
        `${target}: ${n === 1 ? '1 case is' : `${n} cases are`} excluded; suite version ${list.newSuiteHash.slice(0, 12)}\n`,
      );
      printMessage(`krisis run, report and compare accept it as --exclude ${target}\n`);
    });
}

/** How many records of one person's naming are listed. */
const MAX_NAMED = 10;

function namedText(ids: readonly string[]): string {
  const more = ids.length - MAX_NAMED;
  const listed = ids.slice(0, MAX_NAMED).map((id) => `  ${plainLine(id, MAX_SHOWN)}\n`);
  return `! ${counted(ids.length, 'case')} named by one person, not excluded:\n${listed.join('')}${more > 0 ? `  and ${more} more\n` : ''}`;
}
