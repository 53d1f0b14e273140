import { stripVTControlCharacters } from 'node:util';
import { KrisisError } from '../core/index.ts';
import { type ReportFormatName, renderComparison } from '../reports/index.ts';
import {
  checkQuestionGates,
  compareQuestionRuns,
  gateExitCode,
  gateNames,
  isQuestionRun,
  readQuestionRun,
} from '../results/index.ts';
import { type GateFlags, planGates, showVerdicts } from './gate-options.ts';
import { refuseOptions } from './refuse-options.ts';
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
  format: ReportFormatName,
  flags: QuestionCompareFlags,
): Promise<void> {
  refuseOptions(flags, ['nonInferior'], 'labels');
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
  const content = await renderComparison(comparison, format, {
    // A text says its verdicts last, where they are seen.
    verdicts: format === 'text' ? [] : verdicts,
  });
  const isFile = flags.output !== undefined;
  // Colours are for a terminal; a file is the same whoever wrote it.
  await writeOutput(isFile ? stripVTControlCharacters(content) : content, flags.output, flags.force ?? false);
  if (verdicts.length === 0) return;
  showVerdicts(verdicts, { isDocument: format !== 'text', output: flags.output });
  process.exitCode = gateExitCode(verdicts);
}
