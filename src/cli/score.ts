import { relative } from 'node:path';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { ScoredRunBuilder } from '../analyses/comparison/scored-run.ts';
import { DELIMITER_NAMES, type Delimiter } from '../core/delimited/rows.ts';
import { KrisisError } from '../core/errors.ts';
import { withSchema } from '../core/json-schema.ts';
import { missingKeyText } from '../core/near-names.ts';
import { DEFAULT_STRATUM } from '../core/patient-record.ts';
import type { OnRow } from '../core/row-file.ts';
import { counted } from '../core/wording.ts';
import { pathsText } from '../files/read-results.ts';
import type { RowTable } from '../metrics/columns.ts';
import {
  bundleMetrics,
  keysToKeep,
  metricsOfScores,
  type Scorecard,
  type ScoringOptions,
  scaleFor,
  scoreTable,
} from '../metrics/score.ts';
import { scorecardObject } from '../metrics/scorecard.ts';
import { scoredUnit } from '../metrics/scored-unit.ts';
import { warningsFor } from '../metrics/warnings.ts';
import { type GateVerdict, gateExitCode } from '../runs/conditions/verdict.ts';
import { exampleCondition, firstScreen } from '../runs/first-screen/run-screen.ts';
import { tableOptionsFor } from '../runs/scoring-for.ts';
import type { KrisisConfig } from './config/config.ts';
import { loadConfig } from './config/load-config.ts';
import { documentWidth, endWithVerdicts, formatOfFile } from './document.ts';
import { usageError } from './errors.ts';
import {
  bundleFor,
  type GateFlags,
  isGated,
  NO_GATES,
  namesOfMetrics,
  showVerdicts,
  withGateOptions,
} from './gate-options.ts';
import { HEADINGS } from './help.ts';
import { gateHint } from './hints.ts';
import {
  addOptions,
  type ConfigFlags,
  typedFlags,
  typedValues,
  withConfigOptions,
} from './options/option.ts';
import { checkActLabels, SCORE_OPTIONS, typedLabels, withRefusal } from './options/score-options.ts';
import { extendCommand, isForTerminal, printMessage, quoted, screenLines } from './print.ts';
import { readFiles } from './read-noted.ts';
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
  krisis score log.eval
  krisis score run_*.jsonl --as-repeats
`;

/** What the extension of `-o` can ask for. */
const SCORE_FORMATS = ['text', 'json', 'md', 'html', 'metrics-csv'] as const;

/** `krisis score FILE`: metrics of rows you already have; no model is called. */
export function scoreCommand(): CommandUnknownOpts {
  const command = new Command().argument(
    '<files...>',
    "CSV, TSV, XLSX, JSONL, JSON, Parquet, or another tool's results; - for standard input",
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
    .option('--full', 'print every number')
    .option('--json', 'print one JSON object on standard output')
    .option('-o, --output <file>', 'write to a file')
    .option('--force', 'overwrite an existing file')
    .addHelpText('after', EXAMPLES)
    .action((files, flags) => scoreFiles(command, files, flags));
}

interface ScoreFlags extends GateFlags, ConfigFlags {
  readonly asRepeats?: true | undefined;
  readonly model?: string | undefined;
  readonly save?: true | undefined;
  readonly run?: string | undefined;
  readonly name?: string | undefined;
  readonly full?: true | undefined;
  readonly json?: true | undefined;
  readonly output?: string | undefined;
  readonly force?: boolean | undefined;
}

async function scoreFiles(
  command: CommandUnknownOpts,
  files: readonly string[],
  { json, full, output, force = false, save, run: path, name, ...flags }: ScoreFlags,
): Promise<void> {
  const file = files[0]!;
  if (files.length > 1 && !flags.asRepeats)
    throw usageError(
      'several files: add --as-repeats where each is one repeat of the same run, or score them one by one',
    );
  const config = await loadConfig(flags);
  const { typed, typedActLabels, stated, reading, delimiter } = readFlags(command, config);
  const bundle = bundleFor(flags, stated.bundle);
  const scoring = {
    ...stated,
    ...(bundle && { bundle }),
    ...(config.metrics && { metrics: config.metrics }),
  };
  // What only a saved run, a baseline or conditions need is loaded with them.
  const plan = isGated(flags)
    ? (await import('./score-gates.ts')).planConditions(
        flags,
        namesOfMetrics(scoring, [...metricsOfScores(), ...(config.extraMetrics ?? [])]),
      )
    : NO_GATES;
  const table = {
    ...tableOptionsFor(stated),
    keep: keysToKeep({ ...stated, metrics: [...(config.metrics ?? []), ...(config.extraMetrics ?? [])] }),
  };
  const isSaved = save === true || path !== undefined;
  if (name !== undefined && !isSaved) throw usageError('--name belongs to --save');
  checkOutput(output, force);
  const format = json ? 'json' : formatOfFile(output, SCORE_FORMATS);
  const builder = new ScoredRunBuilder(table);
  const keys = new Set<string>();
  const read = async (onRow: OnRow) => {
    const add: OnRow = (row, place) => {
      builder.add(row);
      onRow(row, place);
      if (stated.groupBy) for (const key of Object.keys(row.metadata)) keys.add(key);
    };
    await readFiles(files, add, { ...reading, model: flags.model, delimiter: delimiterNamed(delimiter) });
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
  };
  const found = isSaved
    ? await (await import('./open-result.ts')).savingRows(
        file,
        { path, name, force },
        {
          scoring: { ...stated, ...(config.metrics && { metrics: config.metrics }) },
          ownMetrics: config.extraMetrics,
        },
        read,
      )
    : { ...(await read(() => {})), runFile: null };
  const { run, options, labels, runFile } = found;
  const metrics = [
    ...(config.metrics ?? bundleMetrics({ ...options, ...(bundle && { bundle }), labels })),
    ...(config.extraMetrics ?? []),
  ];
  const card = scoreTable(run.table, { ...options, metrics });
  const isConditional = plan.gates.length > 0 || plan.nonInferior !== null;
  const verdicts = isConditional
    ? await (await import('./score-gates.ts')).checkConditions(plan, {
        run,
        card,
        metrics: [...metricsOfScores(run.table.scored), ...metrics],
        table,
        reading,
      })
    : [];
  await printScores(card, verdicts, {
    files,
    typed: typedFlags(command),
    columns: reading.columns,
    format,
    positiveLabel: options.positiveLabel,
    runFile: runFile === null ? null : relative('.', runFile),
    full: full === true,
    output,
    force,
  });
  endWithVerdicts(verdicts);
}

/** How rows are read and scored, by the config and by what was typed. */
function readFlags(command: CommandUnknownOpts, config: KrisisConfig) {
  const typed = typedValues(command, SCORE_OPTIONS);
  const given = { ...config.score, ...typed };
  const {
    bootstrap: resamples,
    columns,
    delimiter,
    sheet,
    scorer,
    abstain,
    refused,
    confidenceScale,
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
  const reading = {
    ...withRefusal({ columns, sheet, scorer, abstain, refused, confidenceScale }),
    actLabels,
    knownLabels: [...(stated.labels ?? []), ...(actLabels ?? [])],
  };
  return { typed, typedActLabels, stated, reading, delimiter };
}

/** What is printed of scores, and how. */
interface Printing {
  readonly files: readonly string[];
  /** The options that were typed, for the commands that are suggested. */
  readonly typed: string;
  readonly columns: Readonly<Record<string, string>> | undefined;
  readonly format: (typeof SCORE_FORMATS)[number];
  readonly positiveLabel: ScoringOptions['positiveLabel'];
  readonly runFile: string | null;
  readonly full: boolean;
  readonly output: string | undefined;
  readonly force: boolean;
}

async function printScores(
  card: Scorecard,
  verdicts: readonly GateVerdict[],
  { files, typed, columns, format, positiveLabel, runFile, full, output, force }: Printing,
): Promise<void> {
  const file = files[0]!;
  const source = file === '-' ? 'standard input' : pathsText(files);
  const gates = verdicts.length === 0 ? {} : { gates: verdicts };
  if (!full && isForTerminal({ format, output })) {
    const typedAgain = file === '-' ? null : `krisis score ${files.map(quoted).join(' ')}${typed}`;
    const width = documentWidth({ output });
    process.stdout.write(
      firstScreen([{ card, warnings: warningsFor(card) }], {
        title: formatTitle(source, card, columns),
        verdicts,
        example: exampleFor(typedAgain, card, width),
        next: nextSteps(typedAgain, runFile, width),
        more: '--full lists all',
        lines: screenLines(gateExitCode(verdicts)),
        width,
      }),
    );
    printMessage(gateHint(verdicts));
  } else {
    await writeOutput(
      format === 'json'
        ? `${JSON.stringify(withSchema('score', { ...scorecardObject(card), ...gates, ...(runFile && { run_file: runFile }) }), null, 2)}\n`
        : await (await import('../runs/render-documents.ts')).renderScorecard(card, format, {
            source,
            positiveLabel,
            width: documentWidth({ output }),
          }),
      output,
      force,
    );
    if (runFile !== null) showRunFile(runFile, format === 'json' && output === undefined);
    showVerdicts(verdicts, { format, output });
  }
}

/** What was scored, and by which columns where they have other names. */
function formatTitle(
  source: string,
  card: Pick<Scorecard, 'n' | 'nScored' | 'nIndependent' | 'method'>,
  columns: Readonly<Record<string, string>> = {},
): string {
  const renamed = Object.entries(columns).map(([field, column]) => `${field} = ${column}`);
  const rows =
    scoredUnit(card) === 'answer'
      ? `${counted(card.n, 'answer')} to ${counted(card.nIndependent, 'case')}`
      : counted(card.n, 'case');
  return `${source}: ${rows}${renamed.length === 0 ? '' : `, ${renamed.join(', ')}`}`;
}

function exampleFor(
  typed: string | null,
  { scores }: Pick<Scorecard, 'scores'>,
  width: number,
): string | null {
  const condition = exampleCondition(scores);
  return typed === null || condition === null ? null : extendCommand(typed, `--assert '${condition}'`, width);
}

function nextSteps(
  typed: string | null,
  runFile: string | null,
  width: number,
): (readonly [string, string])[] {
  if (runFile !== null)
    return [
      ['look at the cases', `krisis view ${quoted(runFile)}`],
      ['every number', `krisis report ${quoted(runFile)}`],
      ['a page to hand on', `krisis report ${quoted(runFile)} -o report.html`],
      ['run file', runFile],
    ];
  if (typed === null) return [];
  return [
    ['every number', extendCommand(typed, '--full', width)],
    ['keep it, to view it', extendCommand(typed, '--save', width)],
  ];
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
  if (typeof label !== 'string' || !/^(true|false)$/i.test(label) || scored.labels.findCode(label) >= 0)
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
    scored.labels.findCode(options.positiveLabel) < 0
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
      (label) => scored.labels.findCode(label) >= 0,
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
  if (options.labels && scored.n > 0 && !options.labels.some((label) => scored.labels.findCode(label) >= 0)) {
    throw new KrisisError(
      `--labels: no row has any of ${options.labels.join(', ')}; the labels are: ${known}`,
      { value: options.labels },
    );
  }
}
