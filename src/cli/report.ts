import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { CONFIDENCE_SOURCES } from '../analyses/confidence-sources/source-rows.ts';
import { REPORTED_WITH_OPTIONS } from '../analyses/registry.ts';
import { correctableScores } from '../analyses/review/corrected-score.ts';
import { type PanelLabel, panelLabels, parsePanelLabels } from '../analyses/review/panel.ts';
import { KrisisError } from '../core/errors.ts';
import { checkRegularFile } from '../core/regular-file.ts';
import { readHumanLabels } from '../rubrics/calibration/human-labels.ts';
import { PANEL_AGREEMENT } from '../runs/conditions/metric-range.ts';
import type { GateVerdict } from '../runs/conditions/verdict.ts';
import { FIGURE_NAMES } from '../runs/formats/figures.ts';
import { checkGates, listMetrics } from '../runs/gates/check-gates.ts';
import type { ReadRunOptions } from '../runs/read-options.ts';
import { openRun, readRun } from '../runs/read-run.ts';
import { formatsText, REPORT_FORMAT_NAMES, renderReport } from '../runs/report-formats.ts';
import type { RunResult } from '../runs/run-result.ts';
import { verificationAlert } from '../runs/unproven-file.ts';
import { findRun } from '../store/find-run.ts';
import { readReview, reviewPath } from '../store/review/review-file.ts';
import type { Review } from '../store/review/review-schema.ts';
import { RunFile } from '../store/run-file.ts';
import { flagsFor, typedOptions } from './analysis-command.ts';
import { loadAnalysisOptions } from './config/load-config.ts';
import { checkDocument, documentWidth, withDocumentOptions, writeDocument } from './document.ts';
import { usageError } from './errors.ts';
import { bundleFor, withGateOptions } from './gate-options.ts';
import { HEADINGS } from './help.ts';
import { exclusionList } from './open-result.ts';
import {
  addOptions,
  appliesTo,
  readNames,
  readResamples,
  refuseIgnored,
  shareUpTo1,
  withConfigOptions,
} from './options/option.ts';
import { CLUSTER } from './options/score-options.ts';
import { planGates } from './plan-gates.ts';
import { isForTerminal, printMessage } from './print.ts';
import { noteSensitivity } from './protected-data.ts';

const NOTES = `
RUN is a file, the beginning of a name under .krisis/runs, or latest.

Formats:
  ${formatsText().replaceAll('\n', '\n  ')}

Figures: ${FIGURE_NAMES.run}

The same run gives the same bytes. A run of open questions is reported by trait.

Exit codes: 0 fine, 1 a condition failed, 2 usage or bad input, 3 a condition
cannot be decided.

Examples:
  krisis report latest
  krisis report ckd-staging_simulated-careful -o report.html
  krisis report my-run -o rows.csv --force
  krisis report my-run --format metrics-csv -o metrics.csv
  krisis report my-run --format png -o figures
  krisis report my-run --figure reliability -o reliability.svg
  krisis report my-run --methods
  krisis report my-run --format every-eval-ever -o folder
  krisis report my-run --assert 'lower(selective_accuracy) >= 0.9'
  krisis report open-clinical --labels people.jsonl -o open.html
`;

const APPLIES_TO = {
  cluster: 'labels',
  groupBy: 'labels',
  confidenceFrom: 'labels',
  bundle: 'labels',
  labels: 'text',
  panel: 'labels',
} as const;

/** Formats that are tables or figures. */
const HAS_NO_ALERT = /csv|parquet|svg|png/;

/** The flags of analyses that are part of a report. */
const ANALYSIS_FLAGS = Object.assign({}, ...REPORTED_WITH_OPTIONS.map(flagsFor)) as ReturnType<
  typeof flagsFor
>;

/** `krisis report RUN`: one run in any format. */
export function reportCommand(): CommandUnknownOpts {
  const command = commandWithOptions();
  addOptions(command, ANALYSIS_FLAGS);
  return command.action(makeReport);
}

function commandWithOptions() {
  return withConfigOptions(withGateOptions(withDocumentOptions(new Command(), REPORT_FORMAT_NAMES)))
    .argument('<run>', 'run file, part of its name, or latest (krisis list)')
    .optionsGroup(HEADINGS.output)
    .option('--methods', 'a paragraph for a methods section: --format methods')
    .option('--figure <name>', 'one figure as SVG or PNG (default: all, in a folder)')
    .option('--no-include-results', 'JSON without the rows')
    .option('--fail-on-error <share>', 'JUnit: fail if more than this share failed (default: 0)', shareUpTo1)
    .optionsGroup(HEADINGS.statistics)
    .option('--bootstrap <n>', 'resamples for intervals (default: as scored)', readResamples)
    .option(CLUSTER.flags, CLUSTER.description)
    .option('--group-by <keys>', 'compare groups, e.g. sex or age', readNames)
    .addOption(new Option('--bundle <name>', 'which metrics').choices(['default', 'extended'] as const))
    .option('--exclude <file>', 'leave out cases found wrong (krisis review apply)')
    .addOption(
      new Option('--confidence-from <source>', 'confidence to score (default: stated)').choices(
        CONFIDENCE_SOURCES,
      ),
    )
    .optionsGroup(HEADINGS.questions)
    .option('--labels <file>', 'human verdicts (JSONL), to calibrate the judge')
    .optionsGroup(HEADINGS.review)
    .option('--review <file>', 'review file (default: RUN.review.db)')
    .option('--no-review', "ignore people's labels")
    .option('--panel <files>', "clinicians' decisions: review files or JSONL", readNames)
    .optionsGroup(HEADINGS.other)
    .addHelpText('after', NOTES);
}

async function makeReport(run: string, flags: Flags): Promise<void> {
  const path = findRun(run);
  if (flags.methods && (flags.json || (flags.format ?? 'methods') !== 'methods'))
    throw usageError('--methods is a format of its own: leave out --json and --format');
  const asked = flags.methods ? { ...flags, format: 'methods' as const } : flags;
  const format = checkDocument(asked, [path], REPORT_FORMAT_NAMES);
  const report = await openReported(path, flags);
  noteSensitivity(report);
  try {
    const verdicts = verdictsOn(report, flags);
    const isTerminal = isForTerminal({ format, output: flags.output });
    const content = await renderReport(report, format, {
      includeResults: flags.includeResults,
      tolerance: flags.failOnError,
      figure: flags.figure,
      // On a terminal the verdicts come last, where they are seen.
      verdicts: verdicts.length === 0 || (isTerminal && format !== 'methods') ? undefined : verdicts,
      width: documentWidth(flags),
    });
    await writeDocument(content, verdicts, format, flags);
    const alert = verificationAlert(report);
    // A table has no place for it.
    if (HAS_NO_ALERT.test(format) && alert !== null) printMessage(`! ${alert}\n`);
  } finally {
    report.close();
  }
}

type Flags = ReturnType<ReturnType<typeof commandWithOptions>['opts']>;

async function openReported(path: string, flags: Flags): Promise<RunResult> {
  refuseIgnored(
    flags,
    { ...APPLIES_TO, ...appliesTo(ANALYSIS_FLAGS) },
    RunFile.use(path, (file) => file.manifest().kind),
    'this run',
  );
  return openRun(path, {
    resamples: flags.bootstrap,
    cluster: flags.cluster,
    groupBy: flags.groupBy,
    confidenceFrom: flags.confidenceFrom,
    bundle: bundleFor(flags, flags.bundle),
    ...Object.assign({}, ...REPORTED_WITH_OPTIONS.map(({ options }) => typedOptions(options!, flags))),
    labels: flags.labels === undefined ? undefined : await readHumanLabels(flags.labels),
    ...reviewOption(flags.review, path),
    panel: panelOption(flags.panel, path),
    analyses: await loadAnalysisOptions(flags),
    exclude: exclusionList(flags.exclude),
  });
}

function verdictsOn(result: RunResult, flags: Flags): GateVerdict[] {
  const own = Object.keys(result.scores).filter((name) => !name.startsWith('corrected('));
  const names = result.judging ? own : [...new Set([...own, PANEL_AGREEMENT])];
  const extended = result.judging ? [] : listMetrics(result).map(({ name }) => name);
  const plan = planGates(flags, { names, extended, correctable: correctableScores(result) });
  if (plan.allowUncalibratedJudge && flags.review === false)
    throw usageError(
      "--allow-uncalibrated-judge needs people's labels, which may refute the judge: leave --no-review out",
    );
  return checkGates(plan, result);
}

/**
 * The labels that a report uses: by default those beside the run. Labels of another run on open questions lend the judge's error rates; on records of the same suite they count as they are.
 */
function reviewOption(
  given: string | boolean | undefined,
  runPath: string,
): Pick<ReadRunOptions, 'review' | 'labelledRun'> {
  if (given === false) return { review: null };
  if (typeof given !== 'string') return {};
  const path = asReview(given);
  const review = readReview(path);
  const { runId, kind } = RunFile.use(runPath, (file) => file.manifest());
  if (review.runId === null || review.runId === runId) return { review };
  return LABELS_OF_ANOTHER_RUN[kind](review, path, runPath);
}

/** How a report uses labels of another run, by the kind of task. */
const LABELS_OF_ANOTHER_RUN = { labels: labelsOnRecords, text: labelsOnAnswers };

function labelsOnRecords(review: Review, path: string, runPath: string) {
  checkSuite(review, path, runPath);
  return { review };
}

function labelsOnAnswers(review: Review, path: string) {
  const other = path.replace(/\.review\.db$/, '.db');
  if (!existsSync(other))
    throw new KrisisError(
      `${path}: its labels are on another run, whose verdicts are needed to use them: ${other} is not there`,
      { code: 'ERR_REVIEW_FILE', value: path },
    );
  return { review: null, labelledRun: readRun(other, { resamples: 0, review }) };
}

/** The decisions of a panel, from review files and JSONL files. Review files must be of the run's suite. */
function panelOption(files: readonly string[] | undefined, runPath: string): PanelLabel[] | undefined {
  return files?.flatMap((file) => {
    if (/\.(jsonl|ndjson|json)$/i.test(file)) {
      checkRegularFile(file);
      return parsePanelLabels(readFileSync(file, 'utf8'), file);
    }
    const path = asReview(file);
    const review = readReview(path);
    checkSuite(review, path, runPath);
    return panelLabels(review, `${basename(path).replace(/\.review\.db$/, '')}/`);
  });
}

/** A run names its own review. */
function asReview(file: string): string {
  return file.endsWith('.review.db') || !file.endsWith('.db') ? file : reviewPath(file);
}

function checkSuite({ suiteHash }: Review, path: string, runPath: string): void {
  const own = RunFile.use(runPath, (run) => run.manifest().identity.suiteHash);
  if (suiteHash === null || own === null || suiteHash === own) return;
  throw new KrisisError(`${path}: is a review of another suite; its cases are not those of ${runPath}`, {
    code: 'ERR_DIFFERENT_SUITES',
    value: path,
  });
}
