import { relative } from 'node:path';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { ScoredRunBuilder } from '../analyses/comparison/scored-run.ts';
import { runThreshold } from '../analyses/threshold/run-threshold.ts';
import { DELIMITER_NAMES, type Delimiter } from '../core/delimited/index.ts';
import {
  DEFAULT_STRATUM,
  type EvaluationResult,
  KrisisError,
  missingKeyText,
  readRows,
} from '../core/index.ts';
import {
  bundleMetrics,
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
import { renderScorecard } from '../runs/report-formats.ts';
import { tableOptionsFor } from '../runs/scoring-for.ts';
import { requireProof } from '../runs/unproven-file.ts';
import { fileIdentity } from '../store/file-names.ts';
import { loadConfig } from './config/load-config.ts';
import { documentWidth, formatOfFile } from './document.ts';
import { usageError } from './errors.ts';
import { planGates, showVerdicts, withGateOptions } from './gate-options.ts';
import { HEADINGS } from './help.ts';
import { findBaseline, isRunFile, readBaseline, savingRows, showNotice } from './open-result.ts';
import { addOptions, typedValues, withConfigOptions } from './options/option.ts';
import { checkActLabels, refusalNamed, SCORE_OPTIONS, typedLabels } from './options/score-options.ts';
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
  krisis score answers.xlsx --abstain unsure,unknown --confidence-scale 100
  krisis score answers.jsonl --group-by sex --json > scores.json
  krisis score answers.jsonl --assert 'lower(selective_accuracy) >= 0.8'
  krisis score answers.csv --save --name my-model
`;

/** What the extension of `-o` can ask for. */
const SCORE_FORMATS = ['text', 'json', 'md', 'html', 'metrics-csv'] as const;

/** `krisis score FILE`: metrics of rows you already have; no model is called. */
export function scoreCommand(): CommandUnknownOpts {
  const command = new Command().argument(
    '<file>',
    'CSV, TSV, XLSX, JSONL, JSON or Parquet; - for standard input',
  );
  addOptions(command, SCORE_OPTIONS);
  return withConfigOptions(withGateOptions(command))
    .optionsGroup(HEADINGS.output)
    .option('--save', 'keep as a run file, to view and compare')
    .option('--run <file>', 'run file of --save (default: in .krisis/runs)')
    .option('--name <model>', 'model of --save (default: name of the file)')
    .option('--json', 'print one JSON object on standard output')
    .option('-o, --output <file>', 'write to a file')
    .option('--force', 'overwrite an existing file')
    .addHelpText('after', EXAMPLES)
    .action(async (file, { json, output, force = false, save, run: path, name, ...flags }) => {
      const config = await loadConfig(flags);
      const typed = typedValues(command, SCORE_OPTIONS);
      const given = { ...config.score, ...typed };
      const {
        bootstrap: resamples,
        columns,
        delimiter,
        sheet,
        abstain,
        refused,
        confidenceScale,
        actLabels: typedActLabels = [],
        ...rest
      } = given;
      const actLabels = typedActLabels.length === 0 ? undefined : typedLabels(typedActLabels);
      const stated: ScoringOptions = {
        ...rest,
        ...(actLabels && { actLabels }),
        ...(resamples === undefined ? {} : { resamples }),
      };
      const plan = planGates(
        flags,
        namesOfMetrics(
          { ...stated, ...(config.metrics && { metrics: config.metrics }) },
          config.extraMetrics ?? [],
        ),
        findBaseline,
      );
      const table = {
        ...tableOptionsFor(stated),
        keep: keysToKeep({ ...stated, metrics: [...(config.metrics ?? []), ...(config.extraMetrics ?? [])] }),
      };
      const reading = {
        columns,
        sheet,
        abstain,
        refused: refusalNamed(refused),
        confidenceScale,
        actLabels,
        knownLabels: [...(stated.labels ?? []), ...(actLabels ?? [])],
      };
      const isSaved = save === true || path !== undefined;
      if (name !== undefined && !isSaved) throw usageError('--name belongs to --save');
      checkOutput(output, force);
      const format = json ? 'json' : formatOfFile(output, SCORE_FORMATS);
      const builder = new ScoredRunBuilder(table);
      const keys = new Set<string>();
      const found = await savingRows(
        file,
        isSaved ? { path, name, force } : null,
        {
          scoring: { ...stated, ...(config.metrics && { metrics: config.metrics }) },
          ownMetrics: config.extraMetrics,
        },
        async (onRow) => {
          const add = (row: EvaluationResult, place: { readonly repeat: number }) => {
            builder.add(row);
            onRow(row, place);
            if (stated.groupBy) for (const key of Object.keys(row.metadata)) keys.add(key);
          };
          await readRows(file, add, {
            ...reading,
            delimiter: delimiterNamed(delimiter),
            onNotice: (notice) => showNotice(notice, file),
          });
          const run = builder.finish();
          const options = withKnownLabel(stated, run.table);
          const isFromConfig = config.score?.positiveLabel !== undefined && !('positiveLabel' in typed);
          checkOptions(
            { ...options, actLabels: typedActLabels },
            run.table,
            keys,
            isFromConfig ? (flags.config ?? config.foundAs ?? null) : null,
          );
          const labels = scaleFor(options, run.table.scored);
          return { run, options, labels, scoring: { ...options, ...(labels && { labels }) } };
        },
      );
      const { run, options, labels, runFile } = found;
      const metrics = [
        ...(config.metrics ?? bundleMetrics({ ...options, labels })),
        ...(config.extraMetrics ?? []),
      ];
      const card = scoreTable(run.table, { ...options, metrics });
      // Before it is read.
      const baselineFiles = readBaselineFiles(plan);
      const baseline = plan.nonInferior && (await readBaseline(plan.nonInferior.baseline, table, reading));
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
      const source = file === '-' ? 'standard input' : file;
      const gates = verdicts.length === 0 ? {} : { gates: verdicts };
      await writeOutput(
        format === 'json'
          ? `${JSON.stringify({ ...scorecardObject(card), ...gates, ...(runFile && { run_file: relative('.', runFile) }) }, null, 2)}\n`
          : await renderScorecard(card, format, {
              source,
              positiveLabel: options.positiveLabel,
              width: documentWidth({ output }),
            }),
        output,
        force,
      );
      if (runFile !== null) showRunFile(relative('.', runFile), json === true && output === undefined);
      showVerdicts(verdicts, { isDocument: format !== 'text', output });
      if (verdicts.length > 0) process.exitCode = gateExitCode(verdicts);
    });
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

/** A label or key that no row has is a typing mistake, not an empty result. `config` is the file that names the positive label, where one does. */
function checkOptions(
  options: ScoringOptions,
  { scored }: RowTable,
  keys: Iterable<string>,
  config: string | null,
): void {
  const known = scored.labels.display.slice(0, 12).map(String).join(', ');
  if (
    options.positiveLabel !== undefined &&
    scored.n > 0 &&
    scored.labels.codeOf(options.positiveLabel) < 0
  ) {
    throw new KrisisError(
      `${config === null ? '--positive-label' : `${config}, score.positiveLabel`}: no row has the label "${options.positiveLabel}"; the labels are: ${known}`,
      { value: options.positiveLabel },
    );
  }
  if (options.task === 'detection' && options.positiveLabel === undefined && scored.n > 0)
    throw usageError(
      `--task detection needs the label that means that the condition is there: --positive-label LABEL; the labels are: ${known}`,
    );
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
