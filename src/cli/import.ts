import { relative } from 'node:path';
import { Command, Option } from '@commander-js/extra-typings';
import { snakeKeys } from '../core/codec.ts';
import { plain } from '../core/plain-text.ts';
import { counted } from '../core/wording.ts';
import { recogniseFormat } from '../files/read-results.ts';
import { TASK_NAMES } from '../metrics/bundle-options.ts';
import { type ImportedRun, importPythonResult } from '../runs/import/import-python-result.ts';
import { importExported } from './bundle.ts';
import { importHealthBenchCommand } from './import-healthbench.ts';
import { saveResults } from './open-result.ts';
import { addOptions, typedValues } from './options/option.ts';
import { RESULT_OPTIONS, withRefusal } from './options/score-options.ts';
import { print } from './print.ts';

/** `krisis runs import FILE`: adds an exported run, results of another tool, or a published result of the Python framework to the tables. */
export function importCommand() {
  const command = new Command();
  addOptions(command, RESULT_OPTIONS);
  return command
    .addCommand(importHealthBenchCommand())
    .argument('<file>', 'an exported run (.krisis), results of another tool, or of the Python framework')
    .option('--name <model>', 'name of the model (default: from the file, else the name of the file)')
    .addOption(new Option('--task <name>', 'task, if the file does not state it').choices(TASK_NAMES))
    .option(
      '--positive-label <label>',
      'label that means the condition is present (default: 0 for detection, as in that framework)',
    )
    .addOption(
      new Option('--sensitivity <kind>', 'sensitivity of the cases (default: protected)').choices([
        'protected',
        'public',
        'synthetic',
      ] as const),
    )
    .option('--run <file>', 'the run file to write (default: one under .krisis/runs)')
    .option('--force', 'overwrite an existing run file')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText(
      'after',
      '\nExamples:\n  krisis runs import my-run.krisis\n  krisis runs import results.json --name gpt-4o\n  krisis runs import log.eval\n  krisis runs import healthbench FILE.jsonl\n',
    )
    .action(async (file, { json, ...given }) => {
      if (isExportedRun(file)) return importExported(file, given.force ?? false);
      const { sensitivity, task, positiveLabel, run, name, force } = given;
      if (recogniseFormat(file) !== null) {
        const scoring = { ...(task && { task }), ...(positiveLabel !== undefined && { positiveLabel }) };
        const reading = withRefusal(typedValues(command, RESULT_OPTIONS));
        const saved = await saveResults(file, { run, name, force, sensitivity, scoring, ...reading });
        print(json, 'import', { source: file, runs: saved.map(savedObject) }, savedText(saved));
        return;
      }
      const options = { task, positiveLabel, run, name, force, ...(sensitivity && { sensitivity }) };
      const imported = await importPythonResult(file, options);
      print(json, 'import', importObject(imported, file), importText(imported, file));
    });
}

type Saved = Awaited<ReturnType<typeof saveResults>>;

function savedObject({ path, ...rest }: Saved[number]) {
  return { run_file: relative('.', path), ...snakeKeys(rest) };
}

function savedText(saved: Saved): string {
  const lines = saved.map(
    ({ path, model, nRows }) => `${plain(model)}, ${counted(nRows, 'row')}: ${relative('.', path)}`,
  );
  return `${lines.join('\n')}\nnext: krisis report ${relative('.', saved[0]!.path)}\n`;
}

/** Whether a file is a run as `krisis runs export` writes it, by its name. */
function isExportedRun(file: string): boolean {
  return /\.(krisis|db)$/i.test(file);
}

function importObject({ path, differences, ...rest }: ImportedRun, source: string) {
  return { run_file: relative('.', path), source, ...snakeKeys(rest), score_differences: differences };
}

function importText(imported: ImportedRun, source: string): string {
  const { path, model, format, nRows, nPublished, nMetrics, differences } = imported;
  const shape = format === 'python_full' ? 'full' : 'metrics only';
  const shown = (value: number | null) => (value === null ? 'none' : String(Number(value.toPrecision(10))));
  const lines = [
    `${source} (${shape}): ${plain(model)}, ${nMetrics} metrics as published`,
    nRows === 0
      ? `no rows${nPublished === null ? '' : ` (published for ${nPublished} cases)`}: values are shown as published, with intervals where it states the counts, and cannot be paired`
      : `${nRows} rows, scored here as well`,
    ...(nRows > 0 && nPublished !== null && nPublished !== nRows
      ? [`! the file says ${nPublished} cases, and has ${nRows} rows`]
      : []),
    ...differences.map(
      ({ metric, published, ours }) =>
        `! ${metric}: published ${shown(published)}, from the rows ${shown(ours)}; reports show the latter, and both are kept`,
    ),
    `run file: ${relative('.', path)}`,
    `next: krisis report ${relative('.', path)}`,
  ];
  return `${lines.join('\n')}\n`;
}
