import { basename } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Comparison } from '../analyses/comparison/comparison.ts';
import { comparisonDocument } from '../analyses/comparison/comparison-document.ts';
import { KrisisError } from '../core/errors.ts';
import type { Scorecard } from '../metrics/score.ts';
import type { ReportDocument } from '../reports/document/document.ts';
import { renderMarkdown } from '../reports/formats/markdown.ts';
import { renderText } from '../reports/formats/text.ts';
import { sortedJson } from '../reports/json/sorted-json.ts';
import { firstScreen, runTitle } from './first-screen/run-screen.ts';
import { csvChunks } from './formats/csv.ts';
import { comparisonJson, formatMetricsJsonReport, jsonChunks } from './formats/json.ts';
import { renderJunit } from './formats/junit.ts';
import { renderLatex } from './formats/latex.ts';
import { comparisonCsv, metricsCsv, scorecardCsv } from './formats/metrics-csv.ts';
import type { ReportOptions } from './report-options.ts';
import { runDocument } from './run-document.ts';
import type { BenchmarkResult, RunResult } from './run-result.ts';
import { type ScorecardOptions, scorecardDocument, scorecardText } from './scorecard-text.ts';
import { leadOf } from './sections/traits.ts';

/** A format of reports: what it is for, and how it is made. */
interface ReportFormat {
  /** What the format is for, for a list of formats. */
  readonly about: string;
  run(
    report: RunResult,
    options: ReportOptions,
  ): string | Iterable<string> | Promise<string | Iterable<string>>;
  /** Default: the format has no comparisons. */
  comparison?(comparison: Comparison, options: ReportOptions): string | Promise<string>;
}

/** A format that is rendered from the document. */
function ofDocument(
  about: string,
  render: (document: ReportDocument, width?: number) => string | Promise<string>,
): ReportFormat {
  return {
    about,
    run: (report, options) => render(runDocument(report, options), options.width),
    comparison: (comparison, options) => render(comparisonDocument(comparison, options), options.width),
  };
}

/** Loaded only when needed: the chart library takes a third of a second. */
async function renderPage(document: ReportDocument): Promise<string> {
  return (await import('../reports/formats/html/render-html.ts')).renderHtml(document);
}

/** Every format by its name. A new one is its file in formats/ and a line here. */
const REPORT_FORMATS = {
  text: ofDocument('for reading', renderText),
  json: { about: 'with every row', run: jsonChunks, comparison: comparisonJson },
  'metrics-json': { about: 'the numbers alone', run: formatMetricsJsonReport },
  md: ofDocument('for a paper or a pull request', (document) => renderMarkdown(document)),
  html: ofDocument('to hand on: one file that opens offline', renderPage),
  junit: { about: 'for a CI server', run: renderJunit },
  csv: { about: 'one line per row or item', run: csvChunks },
  'metrics-csv': {
    about: 'one line per metric and group, for R or pandas',
    run: metricsCsv,
    comparison: comparisonCsv,
  },
  latex: { about: 'the headline numbers as a table for a paper', run: renderLatex },
} satisfies Readonly<Record<string, ReportFormat>>;

export type ReportFormatName = keyof typeof REPORT_FORMATS;

const FORMATS: Readonly<Record<string, ReportFormat>> = REPORT_FORMATS;

/** The names of all formats of a report. */
export const REPORT_FORMAT_NAMES = Object.keys(FORMATS) as readonly ReportFormatName[];

/** The names of the formats that a comparison has. */
export const COMPARISON_FORMAT_NAMES = REPORT_FORMAT_NAMES.filter(
  (name) => FORMATS[name]!.comparison !== undefined,
);

/** What each format is for, in a line: `text for reading; json with every row; ...` */
export function formatsText(): string {
  return Object.entries(FORMATS)
    .map(([name, { about }]) => `${name} ${about}`)
    .join('; ');
}

/** The most lines of a result as text, unless sections are asked for. */
const MAX_REPORT_LINES = 60;

interface FormatReportOptions {
  /** How many columns a line may take; a path or another long word may still exceed it. Default: 80. */
  readonly width?: number;
  /** Sections of the report that follow, by their ids, such as `metrics`, `calibration` or `failures`; `all` is the whole report. Default: none. */
  readonly sections?: 'all' | readonly string[];
}

/**
 * A result as text of at most 60 lines: who was asked what, harm, cost and right decisions with intervals, and how sure that is. Without
 * colours, so that the same result is the same text everywhere. `formatJsonReport` has everything.
 *
 * @example
 * ```ts
 * const suite = new CkdSuite({ task: 'detection', nRecords: 20, testSize: 1 });
 * const result = await new Benchmark(suite, await createBackend('baseline/guideline', suite, { seed: 42 })).run();
 * formatReport(result).split('\n')[0] // => 'baseline/guideline on ckd/detection: 20 cases'
 * formatReport(result, { sections: ['metrics'] }).includes('All metrics') // => true
 * ```
 */
export function formatReport(
  result: BenchmarkResult,
  { width, sections = [] }: FormatReportOptions = {},
): string {
  if (sections === 'all') return stripVTControlCharacters(renderText(runDocument(result), width));
  const screen = firstScreen([result], {
    title: runTitle(result),
    lead: leadOf(result),
    more: "formatReport(result, { sections: 'all' })",
    width,
    lines: MAX_REPORT_LINES,
  });
  const wanted = runDocument(result).sections.filter(({ id }) => sections.includes(id));
  const unknown = sections.filter((id) => wanted.every((section) => section.id !== id));
  if (unknown.length > 0)
    throw new KrisisError(
      `no section ${unknown.join(', ')}; this report has ${runDocument(result)
        .sections.map(({ id }) => id)
        .join(', ')}`,
      { value: unknown },
    );
  const rest = wanted.map((section) =>
    renderText({ summary: [section.title], sections: [{ ...section, title: '' }] }, width),
  );
  return stripVTControlCharacters([screen, ...rest].join('\n'));
}

/** A run in any format; formats with every row come in pieces. */
export async function renderReport(
  report: RunResult,
  format: ReportFormatName,
  options: ReportOptions = {},
): Promise<string | Iterable<string>> {
  return FORMATS[format]!.run(report, options);
}

/**
 * A comparison in any format that has comparisons.
 *
 * @throws KrisisError with `ERR_FORMAT_NOT_AVAILABLE` for a format that has none.
 */
export async function renderComparison(
  comparison: Comparison,
  format: ReportFormatName,
  options: ReportOptions = {},
): Promise<string> {
  const { comparison: render } = FORMATS[format]!;
  if (render === undefined)
    throw new KrisisError(
      `a comparison cannot be made as ${format}; its formats are ${COMPARISON_FORMAT_NAMES.join(', ')}`,
      { code: 'ERR_FORMAT_NOT_AVAILABLE', value: format },
    );
  return render(comparison, options);
}

const NO_ADVICE =
  'Made by Krisis. An evaluation of a model on a benchmark: not a medical device, not a clinical study, and no advice for any patient.';

/** A scorecard of rows without a run, in one of its formats; JSON is made by who has its conditions. */
export async function renderScorecard(
  card: Scorecard,
  format: ReportFormatName,
  options: ScorecardOptions & { readonly width?: number | undefined },
): Promise<string> {
  if (format === 'metrics-csv') return scorecardCsv(card, { model: options.source, suite: '' });
  if (format === 'text') return scorecardText(card, options);
  const title = basename(options.source);
  const document = () => ({
    title,
    badges: [],
    facts: [],
    footer: NO_ADVICE,
    warnings: [],
    ...scorecardDocument(card, options),
  });
  return renderAlone({ document, object: () => ({}) }, format, options);
}

/** The formats of a document of its own: a threshold, drift. */
export const DOCUMENT_FORMAT_NAMES = ['text', 'json', 'md', 'html'] as const satisfies ReportFormatName[];

/** A document of its own in one of its formats. */
export async function renderAlone(
  { document, object }: { document(): ReportDocument; object(): object },
  format: ReportFormatName,
  { width }: Pick<ReportOptions, 'width'>,
): Promise<string> {
  if (format === 'json') return `${sortedJson(object(), 0)}\n`;
  if (format === 'md') return renderMarkdown(document());
  if (format === 'html') return renderPage(document());
  return renderText(document(), width);
}
