import { realpathSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { comparisonAnalysis } from '../analyses/comparison/analysis.ts';
import { compareOptions, compareRuns } from '../analyses/comparison/compare-runs.ts';
import type { Comparison } from '../analyses/comparison/comparison.ts';
import { clusterKey } from '../analyses/comparison/pair-clusters.ts';
import { isJudged } from '../analyses/judging/judged-result.ts';
import { KrisisError } from '../core/errors.ts';
import { type Label, type LabelKey, labelKey } from '../core/label.ts';
import { MAX_COMPARISON_LINES } from '../reports/layout/text-width.ts';
import type { GatePlan } from '../runs/conditions/verdict.ts';
import { type GateVerdict, gateExitCode } from '../runs/conditions/verdict.ts';
import { comparisonScreen } from '../runs/first-screen/comparison-screen.ts';
import { exampleCondition } from '../runs/first-screen/run-screen.ts';
import { checkGates, listMetrics } from '../runs/gates/check-gates.ts';
import type { ReadRunOptions } from '../runs/read-options.ts';
import { COMPARISON_FORMAT_NAMES, renderComparison } from '../runs/report-formats.ts';
import type { RunResult } from '../runs/run-result.ts';
import { requireProof } from '../runs/unproven-file.ts';
import { findRun, lastRuns } from '../store/find-run.ts';
import { RUNS_FOLDER } from '../store/list-runs.ts';
import { flagsFor, typedOptions } from './analysis-command.ts';
import { loadAnalysisOptions } from './config/load-config.ts';
import {
  checkDocument,
  documentWidth,
  endWithVerdicts,
  withDocumentOptions,
  writeDocument,
} from './document.ts';
import { usageError } from './errors.ts';
import { bundleFor, withGateOptions } from './gate-options.ts';
import { HEADINGS } from './help.ts';
import { gateHint } from './hints.ts';
import { exclusionList, isRunFile, openResults, type Reading } from './open-result.ts';
import {
  addOptions,
  inGroup,
  namesIn,
  refuseIgnored,
  typedFlags,
  typedValues,
  withConfigOptions,
} from './options/option.ts';
import {
  ACT_LABELS,
  checkActLabels,
  RESULT_OPTIONS,
  typedLabels,
  withRefusal,
} from './options/score-options.ts';
import { planGates } from './plan-gates.ts';
import { extendCommand, isForTerminal, printMessage, quoted, screenLines } from './print.ts';
import { noteSensitivity } from './protected-data.ts';
import { FileNotes } from './read-noted.ts';
import { notePlannedPairs } from './run-gates.ts';

const NOTES = `
Runs must be of the same suite; each is compared with the baseline on the
cases that both have scored. Files of rows (CSV, JSONL, Parquet, ...) and
results of other tools (docs/other-tools.md) are scored first; a file with
several models is several runs. Conditions apply to every run except the baseline.

Exit codes: 0 fine, 1 a condition failed, 2 usage or bad input, 3 a condition
cannot be decided.

Examples:
  krisis compare --last
  krisis compare simulated-careful simulated-overconfident
  krisis compare old.db latest -o compare.html
  krisis compare old.db latest -o table.tex
  krisis compare a.csv b.csv
  krisis compare gpt5.eval claude.eval
  krisis compare a.csv b.csv --act-labels em
  krisis compare old.db new.db --non-inferior old.db --margin 0.02
`;

const APPLIES_TO = {
  allowDifferentSuites: 'labels',
  cluster: 'labels',
  actLabels: 'labels',
  judge: 'text',
} as const;

/** `krisis compare RUN RUN...`: models side by side, and paired statistics between them. */
export function compareCommand(): CommandUnknownOpts {
  const command = withConfigOptions(
    withGateOptions(withDocumentOptions(new Command(), COMPARISON_FORMAT_NAMES)),
  );
  addOptions(command, {
    ...flagsFor(comparisonAnalysis),
    ...inGroup(HEADINGS.records, null, RESULT_OPTIONS),
  });
  return command
    .argument('[runs...]', 'runs: files, names or latest; or files of results')
    .optionsGroup(HEADINGS.records)
    .option('--last', 'the newest run of each model on the last suite')
    .option('--baseline <run>', 'compare the others with it (default: the first)')
    .option('--exclude <file>', 'leave out cases found wrong (krisis review apply)')
    .optionsGroup(HEADINGS.statistics)
    .option(
      ACT_LABELS.flags,
      `${ACT_LABELS.description}, for runs without any`,
      (typed, previous: string[] | undefined) => namesIn(typed, previous),
    )
    .optionsGroup(HEADINGS.questions)
    .option('--judge <name>', 'whose verdicts to compare (default: the latest)')
    .optionsGroup(HEADINGS.output)
    .option('--figure <name>', 'one figure as SVG or PNG (default: all, in a folder)')
    .option('--full', 'print every number')
    .optionsGroup(HEADINGS.other)
    .addHelpText('after', NOTES)
    .action(async (typed, flags) => {
      const { paths, baseline } = findRuns(flags.last ? newestRuns(typed) : typed, flags.baseline);
      const format = checkDocument(flags, paths, COMPARISON_FORMAT_NAMES);
      const exclude = exclusionList(flags.exclude);
      const actLabels = flags.actLabels && typedLabels(flags.actLabels);
      const settings = await loadAnalysisOptions(flags);
      const options = { ...settings?.comparison, ...typedOptions(compareOptions, flags) };
      const { level, cluster } = options;
      const results = await openAll(
        paths,
        { bundle: bundleFor(flags, undefined), level, cluster, actLabels, judge: flags.judge, exclude },
        withRefusal(typedValues(command, RESULT_OPTIONS)),
      );
      if (results.length < 2) throw tooFew();
      results.forEach(noteSensitivity);
      refuseIgnored(flags, APPLIES_TO, results[0]!.judging ? 'text' : 'labels', 'this run');
      if (flags.actLabels !== undefined) checkKnownLabels(flags.actLabels, results);
      const plan = planGates(flags, {
        names: [...new Set(results.flatMap(({ scores }) => Object.keys(scores)))],
      });
      const [first] = results;
      if (!isJudged(first!))
        notePlannedPairs(plan, listMetrics(first!), {
          primaryEndpoint: first!.primaryEndpoint?.metric ?? null,
          cluster: clusterKey(first!.method),
          level: first!.method.level,
        });
      const comparison = compareRuns(results, {
        ...options,
        baseline: baseline === null ? undefined : results[baseline],
      });
      const verdicts = checkModels(plan, comparison, results);
      const isScreen = !flags.full && isForTerminal({ format, output: flags.output });
      if (isScreen) {
        const width = documentWidth(flags);
        const typedAgain = typedCommand(paths, flags.last === true, typedFlags(command));
        process.stdout.write(
          comparisonScreen(comparison, {
            verdicts,
            example: exampleFor(typedAgain, results, width),
            next: nextSteps(typedAgain, width),
            more: '--full lists all',
            lines: screenLines(gateExitCode(verdicts), MAX_COMPARISON_LINES),
            width,
          }),
        );
        printMessage(gateHint(verdicts));
        endWithVerdicts(verdicts);
        return;
      }
      const content = await renderComparison(comparison, format, {
        reports: results,
        // A text ends with its verdicts, where they are seen.
        verdicts: format === 'text' ? [] : verdicts,
        width: documentWidth(flags),
        figure: flags.figure,
      });
      await writeDocument(content, verdicts, format, flags);
    });
}

/** Opens runs and files of results, and says once what is true of several files. */
async function openAll(
  paths: readonly string[],
  ...how: [options: ReadRunOptions, reading: Reading]
): Promise<RunResult[]> {
  const notes = new FileNotes();
  const results: RunResult[] = [];
  try {
    for (const path of paths) results.push(...(await openResults(path, ...how, notes)));
  } finally {
    notes.print();
  }
  return results;
}

/** The command as it was typed, apart from where its output goes. */
function typedCommand(paths: readonly string[], isLast: boolean, reading: string): string {
  const runs = isLast ? '--last' : paths.map((path) => quoted(relative('.', path))).join(' ');
  return `krisis compare ${runs}${reading}`;
}

/** What to add to the command for a condition, where it had none. */
function exampleFor(typed: string, [first]: readonly RunResult[], width: number): string | null {
  const condition = exampleCondition(first!.card.scores);
  return condition === null ? null : extendCommand(typed, `--assert '${condition}'`, width);
}

function nextSteps(typed: string, width: number): (readonly [string, string])[] {
  return [
    ['every number', extendCommand(typed, '--full', width)],
    ['a page to hand on', extendCommand(typed, '-o compare.html', width)],
  ];
}

/** The runs that `--last` means. */
function newestRuns(typed: readonly string[]): readonly string[] {
  if (typed.length > 0) throw usageError('--last finds the runs itself: leave it out, or name no runs');
  const found = lastRuns();
  if (found.length >= 2) return found;
  const [only] = found;
  throw usageError(
    only === undefined
      ? `--last: there are no runs in ${RUNS_FOLDER}; create some with krisis run`
      : `--last: ${only} is the only run of its suite; run another model on it first`,
  );
}

function tooFew() {
  return usageError(
    'compare needs two runs or more: name them (krisis list shows them), or add --last for the newest',
  );
}

/** Whether a path is that of a run file: one that is not there is refused where it is opened. */
function isRunPath(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true && isRunFile(path);
}

/** A baseline that is not among the runs comes first. */
function findRuns(typed: readonly string[], baseline: string | undefined) {
  const paths = typed.map((run) => findRun(run));
  const wanted = baseline === undefined ? null : findRun(baseline);
  const same = (path: string) => wanted !== null && realpathSync(path) === realpathSync(wanted);
  if (wanted !== null && !paths.some(same)) paths.unshift(wanted);
  // One file may have several runs; one run cannot be compared with anything.
  if (paths.length === 0 || (paths.length === 1 && isRunPath(paths[0]!))) throw tooFew();
  return { paths, baseline: wanted === null ? null : paths.findIndex(same) };
}

/** Each act label has to be a label of a task, or that of a row. */
function checkKnownLabels(actLabels: readonly string[], results: readonly RunResult[]): void {
  const known = new Map<LabelKey, Label>();
  const add = (label: Label | null) => {
    if (label !== null) known.set(labelKey(label), label);
  };
  for (const result of results) {
    result.task?.labels.forEach(add);
    for (const { groundTruth, prediction } of result.rows()) [groundTruth, prediction].forEach(add);
  }
  checkActLabels(actLabels, (label) => known.has(labelKey(label)), [...known.values()]);
}

/** Every run that is compared with the baseline has to meet the conditions; a run that is in the table only does not. */
function checkModels(
  plan: GatePlan,
  { models, pairs, baseline }: Comparison,
  results: readonly RunResult[],
): GateVerdict[] {
  if (plan.gates.length === 0 && plan.nonInferior === null) return [];
  if (pairs.length === 0)
    throw new KrisisError('the conditions cannot be checked: no two of these runs can be paired', {
      code: 'ERR_RUNS_NOT_COMPARABLE',
    });
  const findResult = (model: string | null) => results[models.findIndex(({ name }) => name === model)]!;
  const verdicts = pairs.flatMap(({ model }) =>
    checkGates(plan, findResult(model)).map((verdict) => ({
      ...verdict,
      model,
      text: `${model}: ${verdict.text}`,
    })),
  );
  return requireProof(verdicts, [findResult(baseline)], plan.publicKey);
}
