import type { Comparison, RunReport } from '../../results/index.ts';
import type { ReportOptions } from '../report-options.ts';
import { html, type Markup } from './html.ts';
import { page } from './page.ts';

/** A comparison as one HTML file that needs nothing else. `reports` are those that were compared, in the order of its models. */
export async function compareHtml(
  comparison: Comparison,
  reports: readonly RunReport[],
  { verdicts = [] }: ReportOptions = {},
): Promise<string> {
  const [{ parseHTML }, { compareSections }] = await Promise.all([
    import('linkedom'),
    import('./compare-sections.ts'),
  ]);
  const { document } = parseHTML('<!doctype html><html></html>');
  return page({
    title: `${comparison.models.length} models on ${comparison.suiteName} – Krisis comparison`,
    header: header(comparison),
    first: warningBox(comparison),
    sections: compareSections(comparison, reports, verdicts, document),
    footer: html`<p>Made by Krisis. A comparison of models on a benchmark: not a medical device, not a clinical study, and no advice for any patient.</p>`,
  });
}

function header({ models, suiteName, suiteHashes, baseline, primaryEndpoint }: Comparison): Markup {
  const facts: [string, string | Markup][] = [
    ['Models', html`${models.map(({ name }, i) => html`${i === 0 ? null : ', '}<code>${name}</code>`)}`],
    ['Baseline', baseline === null ? 'none: no two runs can be paired' : html`<code>${baseline}</code>`],
    [
      'Primary endpoint',
      primaryEndpoint === null
        ? 'not stated'
        : `${primaryEndpoint.metric}, arm ${primaryEndpoint.arm} (${primaryEndpoint.why})`,
    ],
    [
      suiteHashes.length > 1 ? 'Suite hashes' : 'Suite hash',
      suiteHashes.length === 0 ? 'not known' : html`<code>${suiteHashes.join(', ')}</code>`,
    ],
  ];
  return html`<h1>${models.length} models on ${suiteName}</h1>
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function warningBox({ warnings, notPaired }: Comparison): Markup | null {
  const messages = [
    ...warnings.map(({ message }) => message),
    ...notPaired.map(({ model, message }) => `${model} is in the table only: ${message}.`),
  ];
  if (messages.length === 0) return null;
  return html`<section class="first" aria-labelledby="first-title"><h2 id="first-title">What must be known first</h2>
<ul>${messages.map((message) => html`<li>${message}</li>`)}</ul></section>`;
}
