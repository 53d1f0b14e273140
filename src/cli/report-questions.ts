import { stripVTControlCharacters } from 'node:util';
import { KrisisError } from '../core/index.ts';
import {
  questionCsvChunks,
  questionHtml,
  questionJsonChunks,
  questionJunit,
  questionMarkdown,
  questionMetricsJson,
  questionRunText,
} from '../reports/index.ts';
import {
  checkQuestionGates,
  type GateVerdict,
  gateExitCode,
  gateNames,
  type QuestionReport,
  readQuestionRun,
} from '../results/index.ts';
import { readHumanLabels } from '../rubrics/index.ts';
import { type GateFlags, planGates, showVerdicts } from './gate-options.ts';
import { writeOutput } from './write-output.ts';

export interface QuestionReportFlags extends GateFlags {
  readonly output?: string | undefined;
  readonly force?: boolean | undefined;
  readonly includeResults?: boolean | undefined;
  readonly failOnError?: number | undefined;
  readonly bootstrap?: number | undefined;
  readonly judge?: string | undefined;
  readonly labels?: string | undefined;
  readonly groupBy?: readonly string[] | undefined;
  readonly bundle?: string | undefined;
}

export type ReportFormat = 'text' | 'json' | 'metrics-json' | 'md' | 'html' | 'junit' | 'csv';

/** `krisis report` of a run of open questions. */
export async function reportQuestions(
  path: string,
  format: ReportFormat,
  flags: QuestionReportFlags,
): Promise<void> {
  refuseLabelOptions(flags);
  const report = readQuestionRun(path, {
    judge: flags.judge,
    labels: flags.labels === undefined ? undefined : await readHumanLabels(flags.labels),
    resamples: flags.bootstrap,
  });
  const { gates } = planGates(flags, { names: gateNames(report) });
  const verdicts = checkQuestionGates(gates, report);
  await writeOutput(contentOf(report, format, flags, verdicts), flags.output, flags.force ?? false);
  if (verdicts.length === 0) return;
  showVerdicts(verdicts, { isDocument: format !== 'text', output: flags.output });
  process.exitCode = gateExitCode(verdicts);
}

/** Options that speak of labels, and mean nothing here. */
export function refuseLabelOptions(flags: {
  readonly groupBy?: unknown;
  readonly bundle?: unknown;
  readonly nonInferior?: unknown;
}): void {
  const names = { groupBy: '--group-by', bundle: '--bundle', nonInferior: '--non-inferior' } as const;
  for (const [key, option] of Object.entries(names)) {
    if (flags[key as keyof typeof names] !== undefined)
      throw new KrisisError(
        `${option} is for runs with labels, and this is a run of open questions: leave it out${key === 'nonInferior' ? ' (krisis compare shows differences with intervals)' : ''}`,
        { code: 'ERR_USAGE' },
      );
  }
}

function contentOf(
  report: QuestionReport,
  format: ReportFormat,
  flags: QuestionReportFlags,
  all: readonly GateVerdict[],
): string | Iterable<string> {
  const verdicts = all.length === 0 ? undefined : all;
  switch (format) {
    case 'json':
      return questionJsonChunks(report, { includeResults: flags.includeResults, verdicts });
    case 'metrics-json':
      return questionMetricsJson(report, { verdicts });
    case 'csv':
      return questionCsvChunks(report);
    case 'md':
      return questionMarkdown(report, { verdicts });
    case 'junit':
      return questionJunit(report, { tolerance: flags.failOnError, verdicts });
    case 'html':
      return questionHtml(report, { verdicts });
    case 'text': {
      // On a terminal the verdicts come last, where they are seen.
      const shown = flags.output === undefined ? undefined : verdicts;
      const text = questionRunText(report, { verdicts: shown, evidence: true });
      // Colours are for a terminal; a file is the same whoever wrote it.
      return flags.output === undefined ? text : stripVTControlCharacters(text);
    }
  }
}
