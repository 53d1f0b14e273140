import { KrisisError } from '../core/index.ts';
import type { Comparison, RunResult } from '../results/index.ts';
import { REPORT_FORMATS, type ReportFormat, type ReportFormatName } from './report-formats.ts';
import type { ReportOptions } from './report-options.ts';

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
