import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KrisisError } from '../core/index.ts';
import { PRIVATE_MODE, type RecordLine } from '../store/index.ts';
import { addressOf } from './address-of.ts';
import { ADDRESSES, type AddressPath, addressAt, runsNamed } from './addresses.ts';
import type { RunLine } from './api.ts';
import type { AppFiles } from './app-files.ts';
import { notComparedNotes } from './compare-payload.ts';
import { checkExportFolder, writeFolder } from './export-folder.ts';
import { EXPORT_FORMAT, type ExportedRecords, type ExportedSite } from './export-format.ts';
import { exportedPage } from './exported-page.ts';
import { recordDetailsBetween } from './records-payload.ts';
import { hidesText } from './run-payload.ts';
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
}

const LINES_PER_FILE = 5000;
const DETAILS_PER_FILE = 500;

/** Writes a static site with the pages of the server (see export-format.ts), completely or not at all. Returns its description. */
export function exportSite(options: ExportOptions): ExportedSite {
  const { out, force = false } = options;
  checkExportFolder(out, force);
  return writeFolder(out, (staged) => writeSite(staged, options));
}

function writeSite(
  out: string,
  { runs, appFiles, includeText = false, krisisVersion }: ExportOptions,
): ExportedSite {
  const list = runs.get('runs', {});
  if (list.runs.length === 0)
    throw new KrisisError(`${list.folder}: there is no run to export`, { code: 'ERR_NO_RUNS' });
  // What is made of protected data only the user may read.
  const mode = list.runs.some(hidesText) ? PRIVATE_MODE : 0o666;
  const write = dataWriter(out, mode);
  const withheld = new Set(includeText ? [] : list.runs.filter(hidesText).map(({ id }) => id));
  const site: ExportedSite = {
    format: EXPORT_FORMAT,
    krisis_version: krisisVersion,
    exported_at: new Date().toISOString(),
    includes_text: includeText,
    // The path of the folder is private.
    runs: {
      folder: 'export',
      runs: list.runs.map((run) => (withheld.has(run.id) ? withoutNotes(run) : run)),
      may_edit: false,
      unreadable: [],
    },
    files: exportPayloads(runs, list.runs, withheld, write),
    records: Object.fromEntries(
      list.runs
        .filter(({ kind }) => kind === 'labels')
        .map(({ id }, i) => [id, exportRecords(runs, id, { i, withholds: withheld.has(id), write })]),
    ),
    notes: [
      ...list.unreadable.map(({ error }) => `left out: ${error}`),
      ...[...withheld].map(
        (id) => `${id}: patient and model text is left out, since the suite is protected.`,
      ),
      ...notComparedNotes(list.runs),
    ],
  };
  const start =
    'var krisisExport = {};\nfunction krisisData(name, value) {\n  krisisExport[name] = value;\n}\n';
  writeFileSync(join(out, 'data', 'site.js'), start + scriptOf('site', site), { mode });
  for (const [address, { content }] of appFiles) {
    mkdirSync(dirname(join(out, address)), { recursive: true });
    writeFileSync(
      join(out, address),
      address === 'index.html' ? exportedPage(content.toString('utf8')) : content,
    );
  }
  return site;
}

/** Writes a file for each address. Files have numbers as names, since the name of a run may be anything. */
function exportPayloads(
  runs: ViewedRuns,
  lines: readonly RunLine[],
  withheld: ReadonlySet<string>,
  write: DataWriter,
): Record<string, string> {
  const files: Record<string, string> = {};
  for (const path of Object.keys(ADDRESSES) as AddressPath[]) {
    const { exported } = addressAt(path);
    for (const params of exported?.params(lines) ?? []) {
      const payload = runs.get(path, params as never) as never;
      const ids = runsNamed(params);
      const written = ids.some((id) => withheld.has(id))
        ? exported!.withhold(payload, runs.get('runs/:id', { id: ids[0]! }))
        : payload;
      const n = Object.keys(files).length;
      files[addressOf(path, params)] = write(`data/payload-${n}.js`, written);
    }
  }
  return files;
}

function exportRecords(
  runs: ViewedRuns,
  id: string,
  { i, withholds, write }: { readonly i: number; readonly withholds: boolean; readonly write: DataWriter },
): ExportedRecords {
  const run = runs.files.find(id);
  const { lines: texts } = runs.files.index(run);
  const without = withholds ? withoutText(runs.get('runs/:id', { id })) : null;
  const inFiles = (name: string, size: number, valuesAt: (from: number) => unknown) =>
    Array.from({ length: Math.ceil(texts.length / size) }, (_, file) =>
      write(`data/records-${i}-${name}-${file}.js`, valuesAt(file * size)),
    );
  return {
    n: texts.length,
    lines_per_file: LINES_PER_FILE,
    details_per_file: DETAILS_PER_FILE,
    lines: inFiles('lines', LINES_PER_FILE, (from) => {
      const found = texts.slice(from, from + LINES_PER_FILE).map((text): RecordLine => JSON.parse(text));
      return without === null ? found : found.map((line) => without.line(line));
    }),
    details: inFiles('details', DETAILS_PER_FILE, (from) => {
      const found = recordDetailsBetween(runs.files, run, from, from + DETAILS_PER_FILE);
      return without === null ? found : found.map(without.record);
    }),
  };
}

type DataWriter = (path: string, value: unknown) => string;

/** Writes values as classic scripts and returns their paths. */
function dataWriter(out: string, mode: number): DataWriter {
  mkdirSync(join(out, 'data'), { recursive: true });
  return (path, value) => {
    writeFileSync(join(out, path), scriptOf(path, value), { mode });
    return path;
  };
}

/** The value is parsed from a text, where a name like __proto__ has no meaning, and the text has no character that ends a script. */
function scriptOf(name: string, value: unknown): string {
  return `krisisData(${literal(name)}, JSON.parse(${literal(JSON.stringify(value))}));\n`;
}

function literal(text: string): string {
  return JSON.stringify(text).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
