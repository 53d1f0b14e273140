import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { KrisisError } from '../core/errors.ts';
import { plain } from '../core/plain-text.ts';
import { verificationLines } from '../runs/verification.ts';
import { exportBundle, importBundle } from '../store/bundle.ts';
import { findRun } from '../store/find-run.ts';
import { RUNS_FOLDER } from '../store/list-runs.ts';
import { readReview, reviewPath } from '../store/review/review-file.ts';
import { RunFile } from '../store/run-file.ts';
import { verifyRun } from '../store/verify-run.ts';
import { printText } from './print.ts';
import { isProtected } from './protected-data.ts';

/** `krisis runs export RUN`: a run to take along, by default without patient data. */
export function exportCommand() {
  return new Command()
    .argument('<run>', 'run file, part of its name, or latest')
    .option('-o, --output <file>', 'file to write (default: the name of the run, ending in .krisis)')
    .option('--include-features', 'include what the model saw of each patient')
    .option('--with-review', "include the reviewers' labels, in a second file beside it")
    .option('--force', 'overwrite an existing file')
    .addHelpText(
      'after',
      '\nExamples:\n  krisis runs export latest\n  krisis runs export my-run -o my-run.krisis\n',
    )
    .action((run, { output, includeFeatures, withReview, force = false }) => {
      const path = findRun(run);
      const target = output ?? `${basename(path, '.db')}.krisis`;
      if (withReview) checkNotes(path, includeFeatures ?? false);
      const review = withReview ? reviewBeside(target) : undefined;
      exportBundle(path, target, { withFeatures: includeFeatures ?? false, force, review });
      printText(`wrote ${plain(target)}${includeFeatures ? '' : ' (without patient data)'}\n`);
      if (review !== undefined) printText(`wrote ${plain(review)}: the labels; keep it beside the bundle\n`);
    });
}

/** Adds an exported run to the runs of this folder. */
export function importExported(file: string, force: boolean): void {
  const review = existsSync(reviewBeside(file)) ? reviewBeside(file) : undefined;
  const path = importBundle(file, RUNS_FOLDER, { force, review });
  const [verdict] = verificationLines(verifyRun(path));
  printText(`imported as ${plain(path)}\n${plain(verdict!)}\n`);
}

/** The labels of a bundle: `NAME.review.krisis` beside `NAME.krisis`. */
function reviewBeside(bundle: string): string {
  return `${bundle.replace(/\.(db|krisis)$/, '')}.review.krisis`;
}

/** Notes of reviewers can quote what they saw, and cannot be taken out of a review: every label commits to those before it. */
function checkNotes(runPath: string, includeFeatures: boolean): void {
  const manifest = RunFile.use(runPath, (file) => file.manifest());
  const hasNotes = readReview(reviewPath(runPath)).events.some(
    ({ note, reason }) => note !== null || reason !== null,
  );
  if (hasNotes && isProtected(manifest) && !includeFeatures)
    throw new KrisisError(
      `${runPath}: its reviewers wrote notes about protected data, which would leave with the labels`,
      {
        code: 'ERR_REVIEW_PROTECTED',
        value: runPath,
      },
    );
}
