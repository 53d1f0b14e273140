import type { Comparison } from '../analyses/comparison/comparison.ts';
import { KrisisError } from '../core/errors.ts';
import type { DocumentFormat } from '../reports/document/document.ts';
import type { ReportContent, ReportOptions } from './report-options.ts';
import type { RunResult } from './run-result.ts';

/** A format of reports: what it is for, and how it is made. */
interface ReportFormat {
  /** What the format is for, for a list of formats. */
  readonly about: string;
  /** How the files of the format end. Default: only its name asks for it. */
  readonly extensions?: readonly string[];
  /** `folder`: the format is several files. `figures`: so it is, unless one figure is asked for. Default: it is one file. */
  readonly into?: 'folder' | 'figures';
  run(report: RunResult, options: ReportOptions): ReportContent | Promise<ReportContent>;
  /** Default: the format has no comparisons. */
  comparison?(comparison: Comparison, options: ReportOptions): ReportContent | Promise<ReportContent>;
}

/** A format that is rendered from the document. Every format loads what makes it: commands that only need to know the formats stay light. */
function ofDocument(about: string, extensions: readonly string[], format: DocumentFormat): ReportFormat {
  return {
    about,
    extensions,
    run: async (report, options) =>
      (await import('./render-documents.ts')).renderRun(report, format, options),
    comparison: async (comparison, options) =>
      (await import('./render-documents.ts')).renderCompared(comparison, format, options),
  };
}

/** The figures as files; the chart library and what draws pixels are loaded only for them. */
function ofFigures(about: string, image: 'svg' | 'png'): ReportFormat {
  const load = () => import('./formats/figures.ts');
  return {
    about,
    extensions: [`.${image}`],
    into: 'figures',
    run: async (report, { figure }) => (await load()).runFigures(report, { image, figure }),
    comparison: async (comparison, { figure, reports = [] }) =>
      (await load()).comparisonFigures(comparison, reports, { image, figure }),
  };
}

/** Every format by its name. A new one is its file in formats/ and an entry here. */
const REPORT_FORMATS = {
  text: ofDocument('for reading; also the format of .txt', [], 'text'),
  json: {
    about: 'with every row',
    extensions: ['.json'],
    run: async (report, options) => (await import('./formats/json.ts')).jsonChunks(report, options),
    comparison: async (comparison, options) =>
      (await import('./formats/json.ts')).comparisonJson(comparison, options),
  },
  'metrics-json': {
    about: 'the numbers alone',
    run: async (report, options) =>
      (await import('./formats/json.ts')).formatMetricsJsonReport(report, options),
  },
  md: ofDocument('for a paper or a pull request', ['.md', '.markdown'], 'md'),
  html: ofDocument('to hand on: one file that opens offline', ['.html', '.htm'], 'html'),
  junit: {
    about: 'for a CI server',
    extensions: ['.xml'],
    run: async (report, options) => (await import('./formats/junit.ts')).renderJunit(report, options),
  },
  csv: {
    about: 'one line per row or item; of a comparison, per difference',
    extensions: ['.csv'],
    run: async (report) => (await import('./formats/csv.ts')).csvChunks(report),
    comparison: async (comparison) => (await import('./formats/metrics-csv.ts')).comparisonCsv(comparison),
  },
  'metrics-csv': {
    about: 'one line per metric and group, for R or pandas',
    extensions: ['.csv'],
    run: async (report) => (await import('./formats/metrics-csv.ts')).metricsCsv(report),
    comparison: async (comparison) => (await import('./formats/metrics-csv.ts')).comparisonCsv(comparison),
  },
  parquet: {
    about: 'the rows of csv, with types',
    extensions: ['.parquet', '.pq'],
    run: async (report) => (await import('./formats/parquet.ts')).rowsParquet(report),
    comparison: async (comparison) => (await import('./formats/parquet.ts')).comparisonParquet(comparison),
  },
  'metrics-parquet': {
    about: 'the lines of metrics-csv, with types',
    extensions: ['.parquet', '.pq'],
    run: async (report) => (await import('./formats/parquet.ts')).metricsParquet(report),
  },
  latex: {
    about: 'the headline numbers as a table for a paper',
    extensions: ['.tex'],
    run: async (report) => (await import('./formats/latex.ts')).renderLatex(report),
    comparison: async (comparison) => (await import('./formats/latex.ts')).comparisonLatex(comparison),
  },
  svg: ofFigures('figures as drawings', 'svg'),
  png: ofFigures('figures as pictures, with the package @resvg/resvg-js', 'png'),
  methods: {
    about: 'a paragraph for the methods section of a paper',
    run: async (report, options) => (await import('./formats/methods.ts')).methodsText(report, options),
  },
  'every-eval-ever': {
    about: 'a folder for the data set of Every Eval Ever',
    into: 'folder',
    run: async (report) => (await import('./formats/every-eval-ever.ts')).everyEvalEver(report),
  },
  'chai-card': {
    about: 'CHAI Applied Model Card (XML), with what the run can say',
    run: async (report) => (await import('./formats/chai-card.ts')).chaiCard(report),
  },
  'chart-checklist': {
    about: 'CHART checklist for chatbot health advice (Markdown)',
    run: async (report) => (await import('./formats/chart-checklist.ts')).chartChecklist(report),
  },
} satisfies Readonly<Record<string, ReportFormat>>;

export type ReportFormatName = keyof typeof REPORT_FORMATS;

const FORMATS: Readonly<Record<string, ReportFormat>> = REPORT_FORMATS;

/** The names of all formats of a report. */
export const REPORT_FORMAT_NAMES = Object.keys(FORMATS) as readonly ReportFormatName[];

/** The names of the formats that a comparison has. */
export const COMPARISON_FORMAT_NAMES = REPORT_FORMAT_NAMES.filter(
  (name) => FORMATS[name]!.comparison !== undefined,
);

/** The format that an extension means, the first of these that has it; undefined where none has. */
export function formatWithExtension<Name extends ReportFormatName>(
  extension: string,
  names: readonly Name[],
): Name | undefined {
  return names.find((name) => FORMATS[name]!.extensions?.includes(extension));
}

/** The extensions that some of these formats have. */
export function listExtensions(names: readonly ReportFormatName[]): string[] {
  return names.flatMap((name) => FORMATS[name]!.extensions ?? []);
}

/** Whether a format is several files, which are written to a folder. */
export function isFolder(name: ReportFormatName, figure: string | undefined): boolean {
  const { into } = FORMATS[name]!;
  return into === 'folder' || (into === 'figures' && figure === undefined);
}

/** Whether a format draws figures. */
export function hasFigures(name: ReportFormatName): boolean {
  return FORMATS[name]!.into === 'figures';
}

/** What each format is for, a line each: `json (.json): with every row`. */
export function formatsText(): string {
  return Object.entries(FORMATS)
    .map(([name, { about, extensions = [] }]) => {
      const first = extensions.slice(0, 1).map((extension) => ` (${extension})`);
      return `${name}${first.join('')}: ${about}`;
    })
    .join('\n');
}

/** A run in any format; formats with every row come in pieces. */
export async function renderReport(
  report: RunResult,
  format: ReportFormatName,
  options: ReportOptions = {},
): Promise<ReportContent> {
  return FORMATS[format]!.run(report, options);
}

/**
 * A comparison in any format that has comparisons.
 *
 * @throws KrisisError with `ERR_FORMAT_NOT_AVAILABLE` for a format that has none.
 */
export async function renderComparison(
  comparison: Comparison,
  format: (typeof DOCUMENT_FORMAT_NAMES)[number],
  options?: ReportOptions,
): Promise<string>;
export async function renderComparison(
  comparison: Comparison,
  format: ReportFormatName,
  options?: ReportOptions,
): Promise<ReportContent>;
export async function renderComparison(
  comparison: Comparison,
  format: ReportFormatName,
  options: ReportOptions = {},
): Promise<ReportContent> {
  const { comparison: render } = FORMATS[format]!;
  if (render === undefined)
    throw new KrisisError(
      `a comparison cannot be made as ${format}; its formats are ${COMPARISON_FORMAT_NAMES.join(', ')}`,
      { code: 'ERR_FORMAT_NOT_AVAILABLE', value: format },
    );
  return render(comparison, options);
}

/** The formats of a document of its own: a threshold, drift. */
export const DOCUMENT_FORMAT_NAMES = ['text', 'json', 'md', 'html'] as const satisfies ReportFormatName[];
