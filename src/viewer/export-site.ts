import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { KrisisError } from '../core/errors.ts';
import { isOwn, PRIVATE_FOLDER_MODE, PRIVATE_MODE } from '../core/file-owner.ts';
import type { RecordLine } from '../store/queries/record-line.ts';
import { removeAbandoned, stageBeside } from '../store/staging.ts';
import { ADDRESSES, type AddressPath, addressAt, runsNamed } from './addresses.ts';
import type { RunLine, RunPayload, RunsPayload, VerificationMark } from './api.ts';
import type { AppFiles } from './app-files.ts';
import { buildAddress } from './build-address.ts';
import { notComparedNotes } from './compare-payload.ts';
import { EXPORT_FORMAT, type ExportedRecords, type ExportedSite } from './export-format.ts';
import { hidePaths } from './hide-paths.ts';
import { hidesText } from './open-runs.ts';
import { eachPartOfRecords } from './records-payload.ts';
import type { ViewedRuns } from './viewed-runs.ts';
import { withoutNotes, withoutText } from './withhold-text.ts';

interface ExportOptions {
  readonly runs: ViewedRuns;
  readonly appFiles: AppFiles;
  readonly out: string;
  readonly krisisVersion: string;
  /** Export the text of protected suites too. Default: false. */
  readonly includeText?: boolean | undefined;
  /** Replace an earlier export; anything else is never replaced. Default: false. */
  readonly force?: boolean | undefined;
  /** Called often with how far the export is. Default: nothing is called. */
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
}

/** How far an export is: rows of a run, or pages. */
export interface ExportProgress {
  /** The id of a run, or `pages`. */
  readonly what: string;
  readonly done: number;
  readonly total: number;
}

const LINES_PER_FILE = 5000;
const DETAILS_PER_FILE = 500;

/** Writes a static site with the pages of the server (see export-format.ts), completely or not at all. Returns its description. */
export function exportSite(options: ExportOptions): ExportedSite {
  const { out, runs, includeText = false, force = false } = options;
  checkExportFolder(out, force);
  const list = runs.get('runs', {});
  const isPrivate = includeText && list.runs.some(hidesText);
  return writeFolder(out, (staged) => writeSite(staged, list, options), {
    isPrivate,
  });
}

function writeSite(
  out: string,
  list: RunsPayload,
  { runs, appFiles, includeText = false, krisisVersion, onProgress = () => {} }: ExportOptions,
): ExportedSite {
  // Output derived from protected data is readable by its owner only.
  const mode = list.runs.some(hidesText) ? PRIVATE_MODE : 0o666;
  const write = dataWriter(out, mode);
  const withheld = new Set(includeText ? [] : list.runs.filter(hidesText).map(({ id }) => id));
  const leftOut = list.unreadable.map(({ error }) => `left out: ${error}`);
  const tried = <T>(work: () => T): T | null => {
    try {
      return hidePaths(runs.files.folders, work);
    } catch (error) {
      // One damaged file must not keep the others from being exported.
      if (!(error instanceof KrisisError)) throw error;
      leftOut.push(`left out: ${error.message}`);
      return null;
    }
  };
  const records: Record<string, ExportedRecords> = {};
  const readable = list.runs.filter((line, i) => {
    const found = tried(() => {
      if (line.kind === 'questions') return runs.get('runs/:id/questions', { id: line.id });
      records[line.id] = exportRecords(runs, line, {
        i,
        withholds: withheld.has(line.id),
        write,
        onProgress,
      });
      return records[line.id];
    });
    return found !== null;
  });
  if (readable.length === 0)
    throw new KrisisError([`${list.folder}: there is no run to export`, ...leftOut].join('\n'), {
      code: 'ERR_NO_RUNS',
    });
  const files: Record<string, string> = {};
  const planned = listPayloads(readable);
  for (const [done, { path, params }] of planned.entries()) {
    onProgress({ what: 'pages', done, total: planned.length });
    const payload = tried(() => exportedPayload(runs, path, params, withheld));
    if (payload !== null) files[buildAddress(path, params)] = write(`data/payload-${done}.js`, payload);
  }
  const site: ExportedSite = {
    format: EXPORT_FORMAT,
    krisis_version: krisisVersion,
    exported_at: new Date().toISOString(),
    includes_text: includeText,
    // The path of the folder is private.
    runs: {
      folder: 'export',
      runs: readable.map((run) => checkedLine(runs, withheld.has(run.id) ? withoutNotes(run) : run)),
      may_edit: false,
      unreadable: [],
    },
    files,
    records,
    notes: [
      ...leftOut,
      ...[...withheld].map(
        (id) => `${id}: patient and model text is left out, since the suite is protected.`,
      ),
      ...notComparedNotes(readable),
    ],
  };
  const start =
    'var krisisExport = {};\nfunction krisisData(name, value) {\n  krisisExport[name] = value;\n}\n';
  writeFileSync(join(out, 'data', 'site.js'), start + buildScript('site', site), { mode });
  for (const [address, { content }] of appFiles) {
    mkdirSync(dirname(join(out, address)), { recursive: true });
    writeFileSync(
      join(out, address),
      address === 'index.html' ? exportedPage(content.toString('utf8')) : content,
    );
  }
  return site;
}

/** Every address that has a file. Files have numbers as names, since the name of a run may be anything. */
function listPayloads(lines: readonly RunLine[]): { readonly path: AddressPath; readonly params: object }[] {
  return (Object.keys(ADDRESSES) as AddressPath[]).flatMap((path) =>
    (addressAt(path).exported?.params(lines) ?? []).map((params) => ({ path, params })),
  );
}

function exportedPayload(
  runs: ViewedRuns,
  path: AddressPath,
  params: object,
  withheld: ReadonlySet<string>,
): unknown {
  const payload = wholePayload(runs, path, params) as never;
  const id = runsNamed(params).find((one) => withheld.has(one));
  return id === undefined
    ? payload
    : (addressAt(path).withhold?.(payload, runs.get('runs/:id', { id })) ?? payload);
}

/** A page of an export cannot ask later whether every row is as it was written. */
function wholePayload(runs: ViewedRuns, path: AddressPath, params: object): unknown {
  const payload: unknown = runs.get(path, params as never);
  if (path !== 'runs/:id') return payload;
  const whole = payload as RunPayload;
  return { ...whole, verification: readMark(runs, whole.run) };
}

function checkedLine(runs: ViewedRuns, run: RunLine): RunLine {
  return run.verification === null ? run : { ...run, verification: readMark(runs, run) };
}

function readMark(runs: ViewedRuns, { id }: RunLine): VerificationMark {
  return runs.get('runs/:id/verification', { id });
}

interface RecordsOptions {
  readonly i: number;
  readonly withholds: boolean;
  readonly write: DataWriter;
  readonly onProgress: (progress: ExportProgress) => void;
}

function exportRecords(
  runs: ViewedRuns,
  { id }: RunLine,
  { i, withholds, write, onProgress }: RecordsOptions,
): ExportedRecords {
  const run = runs.files.find(id);
  const { lines: texts } = runs.files.index(run);
  const without = withholds ? withoutText(runs.get('runs/:id', { id })) : null;
  const details: string[] = [];
  eachPartOfRecords(runs.files, run, DETAILS_PER_FILE, (part) => {
    onProgress({ what: id, done: details.length * DETAILS_PER_FILE, total: texts.length });
    const name = `data/records-${i}-details-${details.length}.js`;
    details.push(write(name, without === null ? part : part.map(without.record)));
  });
  const lines = Array.from({ length: Math.ceil(texts.length / LINES_PER_FILE) }, (_, file) => {
    const own = texts.slice(file * LINES_PER_FILE, (file + 1) * LINES_PER_FILE);
    const found = own.map((text): RecordLine => JSON.parse(text));
    return write(
      `data/records-${i}-lines-${file}.js`,
      without === null ? found : found.map((line) => without.line(line)),
    );
  });
  return {
    n: texts.length,
    lines_per_file: LINES_PER_FILE,
    details_per_file: DETAILS_PER_FILE,
    lines,
    details,
  };
}

type DataWriter = (path: string, value: unknown) => string;

/** Writes values as classic scripts and returns their paths. */
function dataWriter(out: string, mode: number): DataWriter {
  mkdirSync(join(out, 'data'), { recursive: true });
  return (path, value) => {
    writeFileSync(join(out, path), buildScript(path, value), { mode });
    return path;
  };
}

/** The value is parsed from a text, where a name like __proto__ has no meaning, and the text has no character that ends a script. */
function buildScript(name: string, value: unknown): string {
  return `krisisData(${literal(name)}, JSON.parse(${literal(JSON.stringify(value))}));\n`;
}

function literal(text: string): string {
  return JSON.stringify(text).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const DATA = '<script src="./data/site.js"></script>';

/** The app's page for an export: data load before the app, and scripts are classic, since browsers load no modules from disk; `defer` makes them wait for the page. */
function exportedPage(html: string): string {
  let isFirst = true;
  return html.replace(/<script\b([^>]*)>/g, (_, attributes: string) => {
    const plain = attributes.replace(
      /\s(?:type="module"|crossorigin(?:="[^"]*")?|defer(?:="")?)(?=\s|$)/g,
      '',
    );
    const before = isFirst ? DATA : '';
    isFirst = false;
    return `${before}<script defer${plain}>`;
  });
}

/**
 * An export may replace an earlier one, never anything else.
 *
 * @throws KrisisError if the folder has other contents, or holds an export and `force` is not set.
 */
function checkExportFolder(out: string, force: boolean): void {
  removeAbandoned(dirname(realPath(out)));
  if (lstatSync(out, { throwIfNoEntry: false }) === undefined) return;
  removeAbandoned(out);
  const names = namesIn(out);
  const partial = names.find((name) => name.includes('.partial-'));
  if (partial !== undefined)
    throw new KrisisError(
      `${out}: holds ${partial}, an unfinished export; wait for the process that writes it, or remove it`,
      { code: 'ERR_EXPORT_FOLDER_INVALID', value: out },
    );
  if (names.length === 0) return;
  const isExport = existsSync(join(out, 'data', 'site.js')) && existsSync(join(out, 'index.html'));
  if (!isExport)
    throw new KrisisError(`${out}: is not empty and not an export; choose another folder`, {
      code: 'ERR_EXPORT_FOLDER_INVALID',
      value: out,
    });
  if (!force)
    throw new KrisisError(`${out}: already contains an export`, { code: 'ERR_EXPORT_EXISTS', value: out });
}

function namesIn(out: string): string[] {
  try {
    return readdirSync(out);
  } catch (cause) {
    throw new KrisisError(`${out}: is not a folder; choose another name for the export`, {
      code: 'ERR_EXPORT_FOLDER_INVALID',
      value: out,
      cause,
    });
  }
}

/**
 * Writes a folder in a private place beside `out`, and moves it into place when it is complete. Other files there, such as a `.git`, remain. What earlier exports left behind when they were
 * killed is removed first, since they may have held text that this one leaves out.
 */
function writeFolder<T>(
  out: string,
  write: (staged: string) => T,
  { isPrivate }: { readonly isPrivate: boolean },
): T {
  const target = realPath(out);
  mkdirSync(dirname(target), { recursive: true });
  const staging = stageBeside(target);
  try {
    mkdirSync(staging.path, isPrivate ? { mode: PRIVATE_FOLDER_MODE } : {});
    const result = write(staging.path);
    if (!existsSync(target)) renameSync(staging.path, target);
    else {
      if (isPrivate) makePrivate(target);
      for (const name of readdirSync(staging.path).sort(pageLast)) {
        const place = join(target, name);
        // Moved away in one step: removing a large folder takes time, in which the export would be incomplete.
        if (existsSync(place)) renameSync(place, staging.join(`replaced-${name}`));
        renameSync(join(staging.path, name), place);
      }
    }
    return result;
  } finally {
    staging.remove();
  }
}

function makePrivate(folder: string): void {
  if (!isOwn(statSync(folder)))
    throw new KrisisError(`${folder}: belongs to another user; choose another folder for protected text`, {
      code: 'ERR_FILE_NOT_PRIVATE',
      value: folder,
    });
  chmodSync(folder, PRIVATE_FOLDER_MODE);
}

/** Where a folder is, so that its replacement is written on the same disk. */
function realPath(out: string): string {
  return existsSync(out) ? realpathSync(out) : resolve(out);
}

/** The page comes last, so that its data are in place when it is loaded. */
function pageLast(a: string, b: string): number {
  return Number(a === 'index.html') - Number(b === 'index.html');
}
