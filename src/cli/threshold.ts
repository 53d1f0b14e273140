import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { CONFIDENCE_SOURCES } from '../analyses/confidence-sources/source-rows.ts';
import { thresholdOf } from '../analyses/threshold/threshold-of.ts';
import { DOCUMENT_FORMAT_NAMES, renderThreshold } from '../runs/report-formats.ts';
import { verificationAlert } from '../runs/unproven-file.ts';
import { findRun } from '../store/find-run.ts';
import { checkDocument, documentWidth, withDocumentOptions, writeDocument } from './document.ts';
import { HEADINGS } from './help.ts';
import { openResult } from './open-result.ts';
import { shareBetween0And1, wholeNumber } from './options/option.ts';
import { CLUSTER } from './options/score-options.ts';
import { noteSensitivity } from './protected-data.ts';

const NOT_VERIFIED = 3;

const NOTES = `
A seed splits the patients in two. One part chooses the lowest confidence at
which to accept answers; the other part shows what that policy does, missed
emergencies first. An answer that is wrong, or that should have been deferred,
is a failure. Often there is no such threshold: then the command says how many
records it would take. None is named where the model is surer when it fails.
Choose risk, confidence and seed before you look.

Exit codes: 0 done, with a threshold or without one; 2 usage or bad input; 3 the
run file is unsealed or unverified. To fail a build, use a condition:
'threshold_coverage(0.05, 0.9) >= 0.5'.

Examples:
  krisis threshold latest
  krisis threshold latest --risk 0.1 --confidence 0.95
  krisis threshold my-run --format html -o threshold.html
  krisis report my-run --assert 'threshold_coverage(0.05, 0.9) >= 0.5'
`;

/** `krisis threshold RUN`: the lowest confidence at which to accept answers, with a promise and its emergencies. */
export function thresholdCommand(): CommandUnknownOpts {
  return withDocumentOptions(new Command(), DOCUMENT_FORMAT_NAMES)
    .argument('<run>', 'run file, part of its name, or latest; or a file of rows')
    .optionsGroup(HEADINGS.statistics)
    .option('--risk <share>', 'share of failures to tolerate (default: 0.05)', shareBetween0And1)
    .option('--confidence <share>', 'confidence of the promise (default: 0.9)', shareBetween0And1)
    .option('--seed <n>', 'seed of the split (default: 1)', wholeNumber(0))
    .option('--calibration-share <share>', 'share of patients to choose on (default: 0.5)', shareBetween0And1)
    .option('--cluster <key>', CLUSTER.description)
    .addOption(
      new Option('--confidence-from <source>', 'confidence to use (default: stated)').choices(
        CONFIDENCE_SOURCES,
      ),
    )
    .optionsGroup(HEADINGS.other)
    .addHelpText('after', NOTES)
    .action(async (run, flags) => {
      const path = findRun(run);
      const format = checkDocument(flags, [path], DOCUMENT_FORMAT_NAMES);
      const report = await openResult(path, {
        resamples: 0,
        cluster: flags.cluster,
        confidenceFrom: flags.confidenceFrom,
      });
      noteSensitivity(report);
      try {
        const { risk, confidence, seed, calibrationShare } = flags;
        const choice = { risk, confidence, seed, calibrationShare, recalibrate: true };
        const found = thresholdOf(report, choice);
        const content = await renderThreshold(report, found, format, { width: documentWidth(flags) });
        await writeDocument(content, [], format, flags);
        if (verificationAlert(report) !== null) process.exitCode = NOT_VERIFIED;
      } finally {
        report.close();
      }
    });
}
