import { relative } from 'node:path';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { ScoredRunBuilder } from '../analyses/comparison/scored-run.ts';
import { runThreshold } from '../analyses/threshold/run-threshold.ts';
import { DELIMITER_NAMES, type Delimiter } from '../core/delimited/index.ts';
import { DEFAULT_STRATUM, type EvaluationResult, KrisisError, missingKeyText } from '../core/index.ts';
import type { ReadResultsOptions } from '../files/read-results.ts';
import {
  defaultBenchmarkMetrics,
  extendedMetrics,
  keysToKeep,
  type RowTable,
  type ScoringOptions,
  scaleFor,
  scorecardObject,
  scoreTable,
} from '../metrics/index.ts';
import type { GatePlan } from '../runs/conditions/gate-plan.ts';
import { gateExitCode } from '../runs/conditions/verdict.ts';
import { checkRows } from '../runs/gates/check-gates.ts';
import { scorecardText } from '../runs/scorecard-text.ts';
import { tableOptionsFor } from '../runs/scoring-for.ts';
import { requireProof } from '../runs/unproven-file.ts';
import { fileIdentity } from '../store/file-names.ts';
import { loadConfig } from './config/load-config.ts';
import { documentWidth } from './document.ts';
import { usageError } from './errors.ts';
import { planGates, showVerdicts, withGateOptions } from './gate-options.ts';
import { HEADINGS } from './help.ts';
import { findBaseline, isRunFile, readBaseline, readNoted, savingRows, severalRuns } from './open-result.ts';
import { addOptions, typedValues, withConfigOptions } from './options/option.ts';
import { checkActLabels, SCORE_OPTIONS, typedLabels } from './options/score-options.ts';
import { namesOfMetrics } from './run-gates.ts';
import { checkOutput, writeOutput } from './write-output.ts';

const EXAMPLES = `
A row is one line of a table, or one JSON object:
  id,prediction,ground_truth,abstained,confidence,should_abstain,sex
  p1,present,present,false,0.9,false,female

  {"id": "p1", "prediction": "present", "ground_truth": "present",
   "abstained": false, "confidence": 0.9,
   "metadata": {"should_abstain": false, "${DEFAULT_STRATUM.key}": 3}}

Only prediction and ground_truth are needed. must_act marks emergencies, and
urgent says whether the model called the case urgent; in triage, --act-labels
names the answers that say so. Any other column can be named in --group-by. A
row with state "failed" is left out of the scores.

Exit codes: 0 fine, 1 a condition failed, 2 usage or bad input, 3 a condition
cannot be decided.

Examples:
  krisis score answers.csv
  krisis score results.parquet --columns prediction=y_pred,ground_truth=y_true
  krisis score answers.jsonl --task detection --positive-label present
  krisis score triage.csv --act-labels em
  krisis score answers.jsonl --group-by sex --json > scores.json
  krisis score answers.jsonl --assert 'lower(selective_accuracy) >= 0.8'
  krisis score answers.csv --save --name my-model
  krisis score log.eval
  krisis score run_*.jsonl --as-repeats
`;

/** `krisis score FILE`: metrics of rows you already have; no model is called. */
export function scoreCommand(): CommandUnknownOpts {
  const command = new Command().argument(
    '<files...>',
    "CSV, TSV, JSONL, JSON, Parquet, or another tool's results; - for standard input",
  );
  addOptions(command, SCORE_OPTIONS);
  return withConfigOptions(withGateOptions(command))
    .optionsGroup(HEADINGS.records)
    .option('--as-repeats', 'several files are the repeats of one run')
    .option('--model <name>', 'the run to score, of a file with several')
    .optionsGroup(HEADINGS.output)
    .option('--save', 'keep as a run file, to view and compare')
    .option('--run <file>', 'run file of --save (default: in .krisis/runs)')
    .option('--name <model>', 'model of --save (default: name of the file)')
    .option('--json', 'print one JSON object on standard output')
    .option('-o, --output <file>', 'write to a file')
    .option('--force', 'overwrite an existing file')
    .addHelpText('after', EXAMPLES)
    .action(
      async (files, { json, output, force = false, save, run: path, name, asRepeats, model, ...flags }) => {
        const file = files[0]!;
        if (files.length > 1 && !asRepeats)
          throw usageError(
            'several files: add --as-repeats where each is one repeat of the same run, or score them one by one',
          );
        const config = await loadConfig(flags);
        const given = { ...config.score, ...typedValues(command, SCORE_OPTIONS) };
        const {
          bootstrap: resamples,
          confidencePolicy: policy = 'invalid',
          columns,
          scorer,
          delimiter,
          actLabels: typedActLabels = [],
          ...rest
        } = given;
        const actLabels = typedActLabels.length === 0 ? undefined : typedLabels(typedActLabels);
        const stated: ScoringOptions = {
          // Ordered labels have under-calls and over-calls.
          ...(rest.labels !== undefined && { task: 'staging' as const }),
          ...rest,
          ...(actLabels && { actLabels }),
          ...(resamples === undefined ? {} : { resamples }),
        };
        const bundle = stated.bundle === 'extended' ? extendedMetrics : defaultBenchmarkMetrics;
        const plan = planGates(flags, namesOfMetrics(stated, config.metrics ?? []), findBaseline);
        const table = {
          ...tableOptionsFor(stated),
          keep: keysToKeep({ ...stated, metrics: config.metrics ?? [] }),
          confidencePolicy: policy,
        };
        const isSaved = save === true || path !== undefined;
        if (name !== undefined && !isSaved) throw usageError('--name belongs to --save');
        if (isSaved && policy === 'clip')
          throw usageError('--save keeps confidences as they are: leave out --confidence-policy clip');
        checkOutput(output, force);
        const builder = new ScoredRunBuilder(table);
        const keys = new Set<string>();
        const found = await savingRows(
          file,
          isSaved ? { path, name, force } : null,
          { scoring: stated, ownMetrics: config.metrics },
          async (onRow) => {
            const add = (row: EvaluationResult) => {
              builder.add(row);
              onRow(row);
              if (stated.groupBy) for (const key of Object.keys(row.metadata)) keys.add(key);
            };
            await readFiles(files, add, {
              columns,
              scorer,
              model,
              delimiter: delimiterNamed(delimiter),
              actLabels,
            });
            const run = builder.finish();
            const options = withKnownLabel(stated, run.table);
            checkOptions({ ...options, actLabels: typedActLabels }, run.table, keys);
            const labels = scaleFor(options, run.table.scored);
            return { run, options, labels, scoring: { ...options, ...(labels && { labels }) } };
          },
        );
        const { run, options, labels, runFile } = found;
        const metrics = [...bundle({ ...options, labels }), ...(config.metrics ?? [])];
        const card = scoreTable(run.table, { ...options, metrics }, policy);
        // Before it is read.
        const baselineFiles = readBaselineFiles(plan);
        const baseline = plan.nonInferior && (await readBaseline(plan.nonInferior.baseline, table, columns));
        const proven = requireProof(
          checkRows(plan, {
            card,
            metrics,
            threshold: (choice) => runThreshold(run.table, choice, card),
            rows: () => run,
            baseline: () => baseline!,
          }),
          [{ path: null }],
          plan.publicKey,
        );
        const verdicts = [
          ...proven.slice(0, plan.gates.length),
          ...requireProof(proven.slice(plan.gates.length), baselineFiles, plan.publicKey),
        ];
        const source = file === '-' ? 'standard input' : files.join(', ');
        const gates = verdicts.length === 0 ? {} : { gates: verdicts };
        await writeOutput(
          json
            ? `${JSON.stringify({ ...scorecardObject(card), ...gates, ...(runFile && { run_file: relative('.', runFile) }) }, null, 2)}\n`
            : scorecardText(card, {
                source,
                positiveLabel: options.positiveLabel,
                width: documentWidth({ output }),
              }),
          output,
          force,
        );
        if (runFile !== null) showRunFile(relative('.', runFile), json === true && output === undefined);
        showVerdicts(verdicts, { isDocument: json === true, output });
        if (verdicts.length > 0) process.exitCode = gateExitCode(verdicts);
      },
    );
}

/** Reads the rows of one run: of one file, or of several that are its repeats. `model` names the run of a file with several. */
async function readFiles(
  files: readonly string[],
  onRow: (row: EvaluationResult) => void,
  { model, ...options }: ReadResultsOptions & { readonly model: string | undefined },
): Promise<void> {
  const runs = new Set<string>();
  let n = 0;
  for (const file of files)
    await readNoted(
      file,
      (row, { model: run }) => {
        if (run !== null) runs.add(run);
        if (model !== undefined && run !== model) return;
        if (files.length > 1 && row.id === null)
          throw new KrisisError(
            `${file}: a row without an id; the rows of repeats need ids (--columns id=NAME)`,
            {
              code: 'ERR_ROW_FILE',
              value: file,
            },
          );
        n += 1;
        onRow(row);
      },
      options,
    );
  if (model === undefined && runs.size > 1) throw severalRuns(files[0]!, [...runs]);
  if (model !== undefined && n === 0)
    throw new KrisisError(
      `--model: ${files[0]} has no run "${model}"; ${runs.size === 0 ? 'it names no models' : `its runs are: ${[...runs].join(', ')}`}`,
      { code: 'ERR_SEVERAL_RUNS', value: model },
    );
}

/** The baseline where it is a run file: only that can be verified. */
function readBaselineFiles({ nonInferior }: GatePlan) {
  if (nonInferior === null || !isRunFile(nonInferior.baseline)) return [];
  return [{ path: nonInferior.baseline, fileIdentity: fileIdentity(nonInferior.baseline) }];
}

function delimiterNamed(wanted: string | undefined): Delimiter | undefined {
  const found = Object.entries(DELIMITER_NAMES).find(([, name]) => name === wanted);
  return found?.[0] as Delimiter | undefined;
}

/** Says where the run is, and how to open it; on standard error where standard output is one document. */
function showRunFile(path: string, isDocument: boolean): void {
  const stream = isDocument ? process.stderr : process.stdout;
  stream.write(`run file: ${path}\nnext: krisis view ${path}, or krisis compare ${path} OTHER\n`);
}

/** `true` as typed is the label true, where the rows have that and not the text. */
function withKnownLabel(options: ScoringOptions, { scored }: RowTable): ScoringOptions {
  const { positiveLabel: label } = options;
  if (typeof label !== 'string' || !/^(true|false)$/i.test(label) || scored.labels.codeOf(label) >= 0)
    return options;
  return { ...options, positiveLabel: label.toLowerCase() === 'true' };
}

/** A label or key that no row has is a typing mistake, not an empty result. */
function checkOptions(options: ScoringOptions, { scored }: RowTable, keys: Iterable<string>): void {
  const known = scored.labels.display.slice(0, 12).map(String).join(', ');
  if (
    options.positiveLabel !== undefined &&
    scored.n > 0 &&
    scored.labels.codeOf(options.positiveLabel) < 0
  ) {
    throw new KrisisError(
      `--positive-label: no row has the label "${options.positiveLabel}"; the labels are: ${known}`,
      { value: options.positiveLabel },
    );
  }
  if (scored.n > 0)
    checkActLabels(
      options.actLabels ?? [],
      (label) => scored.labels.codeOf(label) >= 0,
      scored.labels.display,
    );
  for (const key of options.groupBy ?? []) {
    if (scored.n > 0 && scored.metadata.get(key)!.values.length === 0) {
      throw new KrisisError(`--group-by: ${missingKeyText('row', key, keys)}`, {
        code: 'ERR_GROUP_KEY_NOT_FOUND',
        value: key,
      });
    }
  }
  if (options.labels && scored.n > 0 && !options.labels.some((label) => scored.labels.codeOf(label) >= 0)) {
    throw new KrisisError(
      `--labels: no row has any of ${options.labels.join(', ')}; the labels are: ${known}`,
      { value: options.labels },
    );
  }
}
