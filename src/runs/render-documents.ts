import { basename } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Comparison } from '../analyses/comparison/comparison.ts';
import { comparisonDocument } from '../analyses/comparison/comparison-document.ts';
import { KrisisError } from '../core/errors.ts';
import { withSchema } from '../core/json-schema.ts';
import type { Scorecard } from '../metrics/score.ts';
import type { DocumentFormat, ReportDocument } from '../reports/document/document.ts';
import { renderMarkdown } from '../reports/formats/markdown.ts';
import { renderText } from '../reports/formats/text.ts';
import { sortedJson } from '../reports/json/sorted-json.ts';
import { firstScreen, runTitle } from './first-screen/run-screen.ts';
import { scorecardCsv } from './formats/metrics-csv.ts';
import type { ReportOptions } from './report-options.ts';
import { runDocument } from './run-document.ts';
import type { BenchmarkResult, RunResult } from './run-result.ts';
import { type ScorecardOptions, scorecardDocument, scorecardText } from './scorecard-text.ts';
import { writeLead } from './sections/traits.ts';

/** A run as a document in one of its formats. */
export function renderRun(
  report: RunResult,
  format: DocumentFormat,
  options: ReportOptions,
): string | Promise<string> {
  return render(runDocument(report, options), format, options.width);
}

/** A comparison as a document in one of its formats. */
export function renderCompared(
  comparison: Comparison,
  format: DocumentFormat,
  options: ReportOptions,
): string | Promise<string> {
  return render(comparisonDocument(comparison, options), format, options.width);
}

function render(
  document: ReportDocument,
  format: DocumentFormat,
  width: number | undefined,
): string | Promise<string> {
  if (format === 'md') return renderMarkdown(document);
  if (format === 'html') return renderPage(document);
  return renderText(document, width);
}

/** Loaded only when needed: the chart library takes a third of a second. */
async function renderPage(document: ReportDocument): Promise<string> {
  return (await import('../reports/formats/html/render-html.ts')).renderHtml(document);
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
    lead: writeLead(result),
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

const NO_ADVICE =
  'Made by Krisis. An evaluation of a model on a benchmark: not a medical device, not a clinical study, and no advice for any patient.';

/** A scorecard of rows without a run, in one of its formats; JSON is made by who has its conditions. */
export async function renderScorecard(
  card: Scorecard,
  format: DocumentFormat | 'json' | 'metrics-csv',
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

/** A document of its own in one of its formats. */
export async function renderAlone(
  { document, object }: { document(): ReportDocument; object(): object },
  format: DocumentFormat | 'json',
  { width }: Pick<ReportOptions, 'width'>,
): Promise<string> {
  if (format === 'json') return `${sortedJson(withSchema('analysis', object()), 0)}\n`;
  return render(document(), format, width);
}
