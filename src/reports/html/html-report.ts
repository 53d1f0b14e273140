import type { RunReport } from '../../results/index.ts';
import type { ReportOptions } from '../report-options.ts';
import { html } from './html.ts';
import { page } from './page.ts';
import { reportHeader } from './report-header.ts';
import { warningList } from './warnings.ts';

/**
 * A run as one HTML file that needs nothing else: no script, nothing to load. The same run gives the same bytes. Asynchronous, since the chart library takes
 * a third of a second to load, which only those who draw should wait for.
 */
export async function htmlReport(report: RunReport, { verdicts = [] }: ReportOptions = {}): Promise<string> {
  const [{ parseHTML }, { reportSections }] = await Promise.all([
    import('linkedom'),
    import('./report-sections.ts'),
  ]);
  const { document } = parseHTML('<!doctype html><html></html>');
  return page({
    title: `${report.backendName} on ${report.suiteName} – Krisis report`,
    header: reportHeader(report),
    first: warningList(report),
    sections: reportSections(report, verdicts, document),
    footer: html`<p>Made by Krisis${report.krisisVersion === null ? null : ` (run by version ${report.krisisVersion})`}. An evaluation of a model on a benchmark: not a medical device, not a clinical study, and no advice for any patient.</p>`,
  });
}
