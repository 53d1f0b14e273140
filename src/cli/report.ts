import { Command, Option } from '@commander-js/extra-typings';
import { formatsText, REPORT_FORMAT_NAMES, renderReport } from '../reports/index.ts';
import {
  checkGates,
  type GateVerdict,
  isQuestionRun,
  metricsOf,
  type RunResult,
  readRun,
} from '../results/index.ts';
import { readHumanLabels } from '../rubrics/index.ts';
import { findRun } from '../store/index.ts';
import { type AnyCommand, anyCommand } from './any-command.ts';
import { checkDocument, documentWidth, withDocumentOptions, writeDocument } from './document.ts';
import { planGates, withGateOptions } from './gate-options.ts';
import { list, shareBetween0And1, shareUpTo1, wholeNumber } from './option-values.ts';
import { refuseIgnored } from './options/ignored.ts';
import { CLUSTER } from './options/score-options.ts';
import { noteSensitivity } from './protected-data.ts';

const NOTES = `
Formats: ${formatsText()}.
A run of open questions is reported by trait, with the evidence for every verdict; its conditions name a trait and a metric:
--assert 'lower(safety.recall) >= 0.9'.

Examples:
  krisis report ckd-staging_simulated-careful
  krisis report .krisis/runs/my-run.db --format html -o report.html
  krisis report my-run --format csv -o rows.csv --force
  krisis report my-run --format junit -o junit.xml --assert 'lower(selective_accuracy) >= 0.9'
  krisis report open-clinical --labels people.jsonl --format html -o open.html

Exit codes: 0 fine, 1 a condition (--assert, --non-inferior) failed, 2 usage or bad input, 3 a condition cannot be decided.

A report is made from the run file alone, with the settings the run was scored with: the same run gives the same bytes.`;

const APPLIES_TO = {
  cluster: 'labels',
  groupBy: 'labels',
  bundle: 'labels',
  prevalence: 'labels',
  judge: 'text',
  labels: 'text',
} as const;

/** `krisis report RUN`: one run in any format. */
export function reportCommand(): AnyCommand {
  return anyCommand(commandWithOptions().action(makeReport));
}

function commandWithOptions() {
  return withGateOptions(withDocumentOptions(new Command('report'), REPORT_FORMAT_NAMES))
    .description('report of one run, as text or in another format')
    .argument('<run>', 'a run file, or part of its name (krisis list shows them)')
    .option('--no-include-results', 'JSON without the rows')
    .option('--include-results', 'JSON with the rows (default)')
    .option(
      '--fail-on-error <share>',
      'JUnit: fail when more than this share of rows failed (default: 0)',
      shareUpTo1,
    )
    .option(
      '--bootstrap <n>',
      'resamples for bootstrap intervals (default: as the run was scored)',
      wholeNumber(0),
    )
    .option(CLUSTER.flags, CLUSTER.description)
    .option('--group-by <keys>', 'compare groups of a metadata key, e.g. sex or origin', list)
    .addOption(new Option('--bundle <name>', 'how many metrics').choices(['default', 'extended'] as const))
    .option(
      '--prevalence <share>',
      'also give decision accuracy at this share of must-defer rows (default: 0.1)',
      shareBetween0And1,
    )
    .option('--judge <name>', 'open questions: whose verdicts to score (default: the latest judge)')
    .option('--labels <file>', 'open questions: verdicts of people as JSONL, to calibrate the judge')
    .addHelpText('after', NOTES);
}

async function makeReport(run: string, flags: Flags): Promise<void> {
  const path = findRun(run);
  const format = checkDocument(flags, [path]);
  const report = await openRun(path, flags);
  noteSensitivity(report);
  try {
    const verdicts = verdictsOn(report, flags);
    // On a terminal the verdicts come last, where they are seen.
    const isTerminal = format === 'text' && flags.output === undefined;
    const content = await renderReport(report, format, {
      includeResults: flags.includeResults,
      tolerance: flags.failOnError,
      verdicts: verdicts.length === 0 || isTerminal ? undefined : verdicts,
      width: documentWidth(flags),
    });
    await writeDocument(content, verdicts, format, flags);
  } finally {
    report.close();
  }
}

type Flags = ReturnType<ReturnType<typeof commandWithOptions>['opts']>;

async function openRun(path: string, flags: Flags): Promise<RunResult> {
  refuseIgnored(flags, APPLIES_TO, isQuestionRun(path) ? 'text' : 'labels', 'this run');
  return readRun(path, {
    resamples: flags.bootstrap,
    cluster: flags.cluster,
    groupBy: flags.groupBy,
    bundle: flags.bundle,
    prevalence: flags.prevalence,
    judge: flags.judge,
    labels: flags.labels === undefined ? undefined : await readHumanLabels(flags.labels),
  });
}

function verdictsOn(result: RunResult, flags: Flags): GateVerdict[] {
  const names = Object.keys(result.scores);
  const extended = result.judging ? [] : metricsOf(result).map(({ name }) => name);
  return checkGates(planGates(flags, { names, extended }), result);
}
