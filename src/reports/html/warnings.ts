import type { RunReport } from '../../results/index.ts';
import { html, type Markup } from './html.ts';

/** What must be known before a number is quoted: of the run and of its suite, each thing once. */
export function warningList(report: RunReport): Markup | null {
  const ofSuite = Array.isArray(report.suite.warnings) ? report.suite.warnings.map(String) : [];
  const stopped = report.stoppedBecause === null ? [] : [`The run did not finish: ${report.stoppedBecause}`];
  const messages = [...report.warnings.map(({ message }) => message), ...ofSuite];
  // The reason is part of a warning already, where there is one of stopping.
  const unsaid = stopped.filter(() => !messages.some((message) => message.includes(report.stoppedBecause!)));
  const all = [...new Set([...unsaid, ...messages])];
  if (all.length === 0) return null;
  return html`<section class="first" aria-labelledby="first-title"><h2 id="first-title">What must be known first</h2>
<ul>${all.map((message) => html`<li>${message}</li>`)}</ul></section>`;
}
