import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KrisisError } from '../core/index.ts';
import type { RecordLine, RunLine } from './api.ts';
import type { AppFiles } from './app-files.ts';
import { checkExportFolder, writeFolder } from './export-folder.ts';
import { EXPORT_FORMAT, type ExportedRecords, type ExportedSite } from './export-format.ts';
import { exportedPage } from './exported-page.ts';
import type { ViewedRuns } from './viewed-runs.ts';
import { comparisonWithoutText, questionsWithoutText, withoutText } from './withhold-text.ts';

interface ExportOptions {
  readonly runs: ViewedRuns;
  readonly appFiles: AppFiles;
  readonly out: string;
  readonly krisisVersion: string;
  /** Texts of protected suites too. */
  readonly includeText?: boolean | undefined;
  /** Replaces an earlier export; nothing else is ever replaced. */
  readonly force?: boolean | undefined;
}

const LINES_PER_FILE = 5000;
const DETAILS_PER_FILE = 500;
/** Every pair of a suite is compared, both ways: beyond this the newest only. */
const MOST_COMPARED = 12;

/** Writes a site with the same pages as the server's that needs none: see export-format.ts. It is there as a whole or not at all. Gives back what the site says of itself. */
export function exportSite(options: ExportOptions): ExportedSite {
  const { out, force = false } = options;
  checkExportFolder(out, force);
  return writeFolder(out, (staged) => writeSite(staged, options));
}

function writeSite(
  out: string,
  { runs, appFiles, includeText = false, krisisVersion }: ExportOptions,
): ExportedSite {
  const list = runs.runs();
  if (list.runs.length === 0) throw new KrisisError(`${list.folder}: there is no run to export`);
  const writer = dataWriter(out);
  const files: Record<string, string> = {};
  const records: Record<string, ExportedRecords> = {};
  const notes = list.unreadable.map(({ error }) => `left out: ${error}`);
  const isWithheld = ({ sensitivity }: RunLine) => sensitivity === 'protected' && !includeText;
  for (const [i, line] of list.runs.entries()) {
    const withholds = isWithheld(line);
    if (withholds)
      notes.push(
        `${line.id}: texts of patients and of the model are left out, since the suite is protected; --include-text exports them too.`,
      );
    const address = `runs/${encodeURIComponent(line.id)}`;
    // Files are named by number: a run's own name may be anything.
    const run = runs.run(line.id);
    const withheld = withholds ? withoutText(run) : null;
    files[address] = writer.write(`data/run-${i}.js`, withheld?.run(run) ?? run);
    if (line.kind === 'questions') {
      const payload = runs.questions(line.id);
      files[`${address}/questions`] = writer.write(
        `data/run-${i}-questions.js`,
        withholds ? questionsWithoutText(payload) : payload,
      );
    } else records[line.id] = exportRecords(runs, line, { stem: `data/run-${i}`, withheld, writer });
  }
  exportComparisons(runs, list.runs, { files, notes, writer, withholds: isWithheld });
  const site: ExportedSite = {
    format: EXPORT_FORMAT,
    krisis_version: krisisVersion,
    exported_at: new Date().toISOString(),
    includes_text: includeText,
    // Where the folder lies on the disk of whoever exports is nobody's business.
    runs: { folder: 'export', runs: list.runs, unreadable: [] },
    files,
    records,
    notes,
  };
  writer.site(site);
  for (const [address, { content }] of appFiles) {
    mkdirSync(dirname(join(out, address)), { recursive: true });
    writeFileSync(
      join(out, address),
      address === 'index.html' ? exportedPage(content.toString('utf8')) : content,
    );
  }
  return site;
}

function exportRecords(
  runs: ViewedRuns,
  { id }: RunLine,
  { stem, withheld, writer }: { stem: string; withheld: Withheld | null; writer: DataWriter },
): ExportedRecords {
  const lines: string[] = [];
  const details: string[] = [];
  const { total: n } = runs.records(id, { limit: 1 });
  for (let from = 0; from < n; from += LINES_PER_FILE) {
    const { rows } = runs.records(id, { offset: from, limit: LINES_PER_FILE });
    const parsed = rows.map((text) => JSON.parse(text) as RecordLine);
    lines.push(
      writer.write(
        `${stem}-lines-${lines.length}.js`,
        withheld === null ? parsed : parsed.map((line) => withheld.line(line)),
      ),
    );
  }
  for (let from = 0; from < n; from += DETAILS_PER_FILE) {
    const found = runs.details(id, from, from + DETAILS_PER_FILE);
    details.push(
      writer.write(
        `${stem}-details-${details.length}.js`,
        withheld === null ? found : found.map(withheld.record),
      ),
    );
  }
  return { n, lines_per_file: LINES_PER_FILE, details_per_file: DETAILS_PER_FILE, lines, details };
}

function exportComparisons(
  runs: ViewedRuns,
  lines: readonly RunLine[],
  to: {
    readonly files: Record<string, string>;
    readonly notes: string[];
    readonly writer: DataWriter;
    readonly withholds: (line: RunLine) => boolean;
  },
): void {
  const comparable = lines.filter(({ kind, suite_hash }) => kind === 'labels' && suite_hash !== null);
  let nFiles = 0;
  for (const [, ofSuite] of Map.groupBy(comparable, ({ suite_hash }) => suite_hash)) {
    const chosen = ofSuite.slice(0, MOST_COMPARED);
    if (chosen.length < ofSuite.length)
      to.notes.push(
        `${chosen[0]!.suite}: comparisons are there for the newest ${MOST_COMPARED} of ${ofSuite.length} runs.`,
      );
    for (const a of chosen)
      for (const b of chosen) {
        if (a === b) continue;
        const address = `compare?a=${encodeURIComponent(a.id)}&b=${encodeURIComponent(b.id)}`;
        const payload = runs.compare(a.id, b.id);
        to.files[address] = to.writer.write(
          `data/compare-${nFiles++}.js`,
          to.withholds(a) || to.withholds(b) ? comparisonWithoutText(payload, runs.run(a.id)) : payload,
        );
      }
  }
}

type Withheld = ReturnType<typeof withoutText>;
type DataWriter = ReturnType<typeof dataWriter>;

/** Values as classic scripts. They are parsed from a text, where a name like __proto__ means nothing, and the text has no character that ends a script. */
function dataWriter(out: string) {
  mkdirSync(join(out, 'data'), { recursive: true });
  const call = (name: string, value: unknown) =>
    `krisisData(${literal(name)}, JSON.parse(${literal(JSON.stringify(value))}));\n`;
  return {
    write(path: string, value: unknown): string {
      writeFileSync(join(out, path), call(path, value));
      return path;
    },
    site: (site: ExportedSite) =>
      writeFileSync(
        join(out, 'data', 'site.js'),
        `var krisisExport = {};\nfunction krisisData(name, value) {\n  krisisExport[name] = value;\n}\n${call('site', site)}`,
      ),
  };
}

function literal(text: string): string {
  return JSON.stringify(text).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
