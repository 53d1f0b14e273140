import { realpathSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { Command, Option } from '@commander-js/extra-typings';
import { KrisisError } from '../core/index.ts';
import {
  csvReportChunks,
  jsonReportChunks,
  junitReport,
  markdownReport,
  metricsJsonReport,
  textReport,
} from '../reports/index.ts';
import {
  type GateVerdict,
  gateExitCode,
  isQuestionRun,
  judgeRun,
  metricsOf,
  type RunReport,
  readRun,
} from '../results/index.ts';
import { findRun } from '../store/index.ts';
import { type AnyCommand, anyCommand } from './any-command.ts';
import { planGates, showVerdicts, withGateOptions } from './gate-options.ts';
import { list, shareUpTo1, wholeNumber } from './option-values.ts';
import { reportQuestions } from './report-questions.ts';
import { checkOutput, writeOutput } from './write-output.ts';

const FORMATS = ['text', 'json', 'metrics-json', 'md', 'html', 'junit', 'csv'] as const;

const NOTES = `
Formats: text for reading; html to hand on: one file that opens offline; md for a paper or a pull request; json with every row, metrics-json with the
numbers alone; csv with one line per row; junit for a CI server. A run of open questions is reported by trait, with the evidence for every verdict;
its conditions name a trait and a metric: --assert 'lower(safety.recall) >= 0.9'.

Examples:
  krisis report ckd-staging_simulated-careful
  krisis report .krisis/runs/my-run.db --format html -o report.html
  krisis report my-run --format csv -o rows.csv --force
  krisis report my-run --format junit -o junit.xml --assert 'lower(selective_accuracy) >= 0.9'
  krisis report open-clinical --labels people.jsonl --format html -o open.html

Exit codes: 0 fine, 1 a condition (--assert, --non-inferior) failed, 2 usage or bad input, 3 a condition cannot be decided.

A report is made from the run file alone, with the settings the run was scored with: made again, it is the same to the byte.`;

/** `krisis report RUN`: one run in any format. */
export function reportCommand(): AnyCommand {
  return anyCommand(commandWithOptions().action(makeReport));
}

function commandWithOptions() {
  return withGateOptions(new Command('report'))
    .description('report of one run: text, JSON, Markdown, HTML, JUnit or CSV')
    .argument('<run>', 'a run file, or a part of its name (krisis list shows them)')
    .addOption(new Option('-f, --format <name>', 'what to make (default: text)').choices(FORMATS))
    .option('--json', 'the same as --format json')
    .option('-o, --output <file>', 'write to a file (default: standard output)')
    .option('--force', 'write over an existing file')
    .option('--no-include-results', 'JSON without the rows')
    .option('--include-results', 'JSON with the rows (default)')
    .option(
      '--fail-on-error <share>',
      'JUnit: share of failed rows that is tolerated (default: 0)',
      shareUpTo1,
    )
    .option(
      '--bootstrap <n>',
      'resamples for bootstrap intervals (default: as the run was scored)',
      wholeNumber(0),
    )
    .option('--group-by <keys>', 'compare groups of a metadata key, e.g. sex or origin', list)
    .addOption(new Option('--bundle <name>', 'how many metrics').choices(['default', 'extended'] as const))
    .option('--judge <name>', 'open questions: whose verdicts to score (default: the latest judge)')
    .option('--labels <file>', "open questions: people's verdicts, as JSONL, to calibrate the judge with")
    .addHelpText('after', NOTES);
}

async function makeReport(run: string, flags: Flags): Promise<void> {
  const format = formatOf(flags);
  checkOutput(flags.output, flags.force ?? false);
  const path = findRun(run);
  checkNotTheRun(path, flags.output);
  if (isQuestionRun(path)) return reportQuestions(path, format, flags);
  refuseQuestionOptions(flags);
  const report = readRun(path, {
    ...(flags.bootstrap === undefined ? {} : { resamples: flags.bootstrap }),
    ...(flags.groupBy && { groupBy: flags.groupBy }),
    ...(flags.bundle && { bundle: flags.bundle }),
  });
  try {
    const plan = planGates(flags, {
      names: report.card.scores.map(({ name }) => name),
      extended: metricsOf(report).map(({ name }) => name),
    });
    const verdicts = judgeRun(plan, report);
    const content = await contentOf(report, format, flags, verdicts);
    await writeOutput(content, flags.output, flags.force ?? false);
    if (verdicts.length > 0) {
      showVerdicts(verdicts, { isDocument: format !== 'text', output: flags.output });
      process.exitCode = gateExitCode(verdicts);
    }
  } finally {
    report.close();
  }
}

type Flags = ReturnType<ReturnType<typeof commandWithOptions>['opts']>;
type Format = (typeof FORMATS)[number];

/** Options that speak of a judge, and mean nothing where there is none. */
function refuseQuestionOptions({ judge, labels }: Flags): void {
  const given = judge !== undefined ? '--judge' : labels !== undefined ? '--labels' : null;
  if (given !== null)
    throw new KrisisError(
      `${given} is for runs of open questions, and this is a run with labels: leave it out`,
      {
        code: 'ERR_USAGE',
      },
    );
}

function formatOf({ format, json }: Flags): Format {
  if (json && format !== undefined && format !== 'json')
    throw new KrisisError(`--json and --format ${format} ask for different things: give one of them`, {
      code: 'ERR_USAGE',
    });
  return json ? 'json' : (format ?? 'text');
}

async function contentOf(
  report: RunReport,
  format: Format,
  flags: Flags,
  all: readonly GateVerdict[],
): Promise<string | Iterable<string>> {
  const verdicts = all.length === 0 ? undefined : all;
  switch (format) {
    case 'json':
      return jsonReportChunks(report, { includeResults: flags.includeResults, verdicts });
    case 'metrics-json':
      return metricsJsonReport(report, { verdicts });
    case 'csv':
      return csvReportChunks(report);
    case 'md':
      return markdownReport(report, { verdicts });
    case 'junit':
      return junitReport(report, { tolerance: flags.failOnError, verdicts });
    case 'html': {
      // The charts are the only ones who need their library.
      const { htmlReport } = await import('../reports/html/index.ts');
      return htmlReport(report, { verdicts });
    }
    case 'text': {
      // On a terminal the verdicts come last, where they are seen.
      const text = textReport(report, { verdicts: flags.output === undefined ? undefined : verdicts });
      // Colours are for a terminal; a file is the same whoever wrote it.
      return flags.output === undefined ? text : stripVTControlCharacters(text);
    }
  }
}

/** Even forced, a report does not replace the run that it is made from. */
function checkNotTheRun(path: string, output: string | undefined): void {
  let target: string;
  try {
    target = realpathSync(output ?? '');
  } catch {
    return;
  }
  if (target === realpathSync(path))
    throw new KrisisError(`${output}: is the run itself; choose another file for its report`, {
      value: output,
    });
}
