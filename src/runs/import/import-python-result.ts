import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isObject } from '../../core/collections.ts';
import { KrisisError, whyUnreadable } from '../../core/errors.ts';
import type { Label } from '../../core/label.ts';
import { checkRegularFile } from '../../core/regular-file.ts';
import { TASK_NAMES, type TaskName } from '../../metrics/bundle-options.ts';
import { RUNS_FOLDER } from '../../store/list-runs.ts';
import { RunFile } from '../../store/run-file.ts';
import { evaluate } from '../read-run.ts';
import { storeReport } from '../report.ts';
import type { RunResult } from '../run-result.ts';
import { importedManifest, type ScoreDifference } from './imported-manifest.ts';
import { type PythonResult, parsePythonJson, parsePythonResult } from './python-result.ts';
import { slug, writeWhole } from './write-whole.ts';

/** How a result of another framework is imported. */
export interface ImportOptions {
  /** The model's name. Default: the name in the file, else the name of the file. */
  readonly name?: string | undefined;
  /** The task of the file. Default: as the file says; a metrics-only file does not. */
  readonly task?: TaskName | undefined;
  /** The label that means that the condition is present. Default: 0 for detection, as that framework has it. */
  readonly positiveLabel?: Label | undefined;
  /** The run file to write. Default: a file under `.krisis/runs` that is named after the model. */
  readonly run?: string | undefined;
  /** Overwrite an existing run file. Default: false. */
  readonly force?: boolean | undefined;
}

/** The outcome of an import. */
export interface ImportedRun {
  readonly path: string;
  readonly model: string;
  readonly format: PythonResult['format'];
  readonly sha256: string;
  readonly nRows: number;
  /** The number of rows that the file states; null where it states none. */
  readonly nPublished: number | null;
  readonly nMetrics: number;
  /** Metrics whose published value is not what its rows give here. */
  readonly differences: readonly ScoreDifference[];
}

const ROWS_AT_ONCE = 1000;

/**
 * Imports a result of the Python framework, full or metrics only, into a run file, so that reports and tables can show it, marked as imported.
 * What the file states is kept as it is. Its rows, where it has any, are scored here as well, and metrics whose values differ are listed.
 * The run file is written whole or not at all.
 */
export async function importPythonResult(file: string, options: ImportOptions = {}): Promise<ImportedRun> {
  const bytes = read(file);
  const result = parsePythonResult(bytes.toString('utf8'), file);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const model = options.name ?? result.backendName ?? basename(file).replace(/\.json$/i, '');
  const target = options.run ?? join(RUNS_FOLDER, `imported_${slug(model)}_${sha256.slice(0, 8)}.db`);
  if (existsSync(target) && !options.force)
    throw new KrisisError(`${target}: already exists; choose another file, or overwrite it`, {
      value: target,
      code: 'ERR_FILE_EXISTS',
    });
  const { manifest, differences, nPublished } = importedManifest(result, {
    model,
    source: basename(file),
    sha256,
    task: statedTask(result, options.task, file),
    positiveLabel: options.positiveLabel,
  });
  await writeWhole(target, async (run) => {
    run.setManifest(manifest);
    run.records.enter(records(result.rows), false);
    for (let i = 0; i < result.rows.length; i += ROWS_AT_ONCE)
      await run.rows.enter(result.rows.slice(i, i + ROWS_AT_ONCE));
    const { result: scored } = evaluate(run, {});
    storeReport(run, scored);
    run.seal({ scoresHash: null, krisisVersion: null });
  });
  return {
    path: target,
    model,
    format: result.format,
    sha256,
    nRows: result.rows.length,
    nPublished,
    nMetrics: Object.keys(result.scores).length,
    differences,
  };
}

/** Whether a file holds published numbers without rows. */
export function isPublishedResult(file: string): boolean {
  if (!/\.json$/i.test(file) || statSync(file).size > MAX_PUBLISHED_BYTES) return false;
  try {
    const { metrics, evaluation_results: rows } = parsePythonJson(readFileSync(file, 'utf8')) as {
      readonly metrics?: unknown;
      readonly evaluation_results?: unknown;
    };
    return isObject(metrics) && rows === undefined;
  } catch {
    return false;
  }
}

/** Numbers without rows are a small file. */
const MAX_PUBLISHED_BYTES = 2 ** 26;

/** Opens published numbers as a run in memory, to stand beside others in a comparison. */
export function openPublishedResult(file: string): RunResult {
  const bytes = read(file);
  const published = parsePythonResult(bytes.toString('utf8'), file);
  const { manifest } = importedManifest(published, {
    model: published.backendName ?? basename(file).replace(/\.json$/i, ''),
    source: basename(file),
    sha256: createHash('sha256').update(bytes).digest('hex'),
    task: statedTask(published, undefined, file),
    positiveLabel: undefined,
  });
  const run = RunFile.inMemory();
  run.setManifest(manifest);
  return evaluate(run, {}).result;
}

/** The task that the file or the user names; null where neither does. */
function statedTask({ suite }: PythonResult, wanted: TaskName | undefined, file: string): TaskName | null {
  const own = TASK_NAMES.find((name) => name === suite.task) ?? null;
  if (wanted !== undefined && own !== null && own !== wanted)
    throw new KrisisError(`${file}: its task is ${own}, not ${wanted}`, {
      code: 'ERR_IMPORT',
      value: wanted,
    });
  return wanted ?? own;
}

function read(file: string): Buffer {
  try {
    checkRegularFile(file);
    return readFileSync(file);
  } catch (cause) {
    throw new KrisisError(
      `${file}: ${whyUnreadable(cause)}; expected a JSON result of the Python framework`,
      {
        code: 'ERR_IMPORT',
        cause,
        value: file,
      },
    );
  }
}

function* records(rows: PythonResult['rows']) {
  for (const [position, { id, groundTruth, metadata }] of rows.entries())
    yield [position, { id, label: groundTruth, metadata, features: {} }] as const;
}
