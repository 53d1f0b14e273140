import { stripVTControlCharacters } from 'node:util';
import { KrisisError } from '../core/index.ts';
import {
  compareQuestionHtml,
  compareQuestionJson,
  compareQuestionMarkdown,
  compareQuestionText,
} from '../reports/index.ts';
import {
  checkQuestionGates,
  compareQuestionRuns,
  type GateVerdict,
  gateExitCode,
  gateNames,
  isQuestionRun,
  type QuestionComparison,
  readQuestionRun,
} from '../results/index.ts';
import { type GateFlags, planGates, showVerdicts } from './gate-options.ts';
import { refuseLabelOptions } from './report-questions.ts';
import { writeOutput } from './write-output.ts';

export interface QuestionCompareFlags extends GateFlags {
  readonly output?: string | undefined;
  readonly force?: boolean | undefined;
  readonly bootstrap?: number | undefined;
  readonly seed?: number | undefined;
  readonly level?: number | undefined;
  readonly judge?: string | undefined;
  readonly allowDifferentSuites?: boolean | undefined;
}

type Format = 'text' | 'json' | 'md' | 'html';

/** Whether runs are of open questions; some of them and some not cannot be compared. */
export function areQuestionRuns(paths: readonly string[]): boolean {
  const kinds = paths.map(isQuestionRun);
  if (kinds.every((kind) => kind === kinds[0])) return kinds[0]!;
  throw new KrisisError(
    `runs of open questions and runs with labels cannot be compared:\n${paths.map((path, i) => `  ${kinds[i] ? 'open questions' : 'labels'}  ${path}`).join('\n')}`,
    { code: 'ERR_USAGE', value: paths },
  );
}

/** `krisis compare` of runs of open questions. */
export async function compareQuestions(
  paths: readonly string[],
  baseline: number | null,
  format: Format,
  flags: QuestionCompareFlags,
): Promise<void> {
  refuseLabelOptions(flags);
  if (flags.allowDifferentSuites)
    throw new KrisisError(
      '--allow-different-suites is for runs with labels: open questions are compared on the same questions and rubrics only',
      { code: 'ERR_USAGE' },
    );
  const reports = paths.map((path) => readQuestionRun(path, { judge: flags.judge, level: flags.level }));
  const plan = planGates(flags, { names: [...new Set(reports.flatMap(gateNames))] });
  const comparison = compareQuestionRuns(reports, {
    baseline: baseline ?? undefined,
    resamples: flags.bootstrap,
    seed: flags.seed,
    level: flags.level,
  });
  // Every run that is compared with the baseline has to meet the conditions.
  const verdicts = comparison.models.flatMap(({ name }, r) =>
    name === comparison.baseline
      ? []
      : checkQuestionGates(plan.gates, reports[r]!).map((verdict) => ({
          ...verdict,
          text: `${name}: ${verdict.text}`,
        })),
  );
  const content = contentOf(comparison, format, verdicts);
  const isFile = flags.output !== undefined;
  // Colours are for a terminal; a file is the same whoever wrote it.
  await writeOutput(isFile ? stripVTControlCharacters(content) : content, flags.output, flags.force ?? false);
  if (verdicts.length === 0) return;
  showVerdicts(verdicts, { isDocument: format !== 'text', output: flags.output });
  process.exitCode = gateExitCode(verdicts);
}

function contentOf(comparison: QuestionComparison, format: Format, verdicts: readonly GateVerdict[]): string {
  switch (format) {
    case 'json':
      return compareQuestionJson(comparison, { verdicts });
    case 'md':
      return compareQuestionMarkdown(comparison, { verdicts });
    case 'html':
      return compareQuestionHtml(comparison, { verdicts });
    case 'text':
      return compareQuestionText(comparison);
  }
}
