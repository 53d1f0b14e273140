import type { Ledger } from '../../core/index.ts';
import { type ChartDocument, type LedgerPart, ledgerBar, whole } from '../charts/index.ts';
import { html, type Markup, raw } from './html.ts';
import { inWords, share, shortName } from './words.ts';

const COLORS: Record<string, string> = {
  answered_correct: 'var(--series-1)',
  answered_wrong: 'var(--series-2)',
  abstained: 'var(--series-5)',
  invalid: 'var(--series-4)',
  refused: 'var(--series-3)',
  not_run: 'var(--faint)',
};
const FAILED = 'var(--muted)';
/** Reasons come from data: a file may have as many as rows. */
const MAX_FAILURES = 12;

/** How every row ended. The classes sum to n. */
export function ledgerFigure(ledger: Ledger, document: ChartDocument): Markup {
  if (ledger.n === 0) return html`<p>The run does not say how its rows ended.</p>`;
  const parts = partsOf(ledger);
  return html`<figure class="bar">${raw(ledgerBar(parts, document))}
<ul class="legend">${parts.map(
    ({ name, count, color }) =>
      html`<li>${swatch(color)}${name} <strong>${whole(count)}</strong> <span class="muted">${share(count, ledger.n)}</span></li>`,
  )}</ul>
<figcaption>${whole(ledger.n)} rows in all. Rows that failed or never ran speak of the instrument and are not scored; invalid and refused replies count as wrong.</figcaption></figure>`;
}

function partsOf({ n: _, ...classes }: Ledger): LedgerPart[] {
  const entries = Object.entries(classes) as [string, number][];
  const known = entries.filter(([name]) => COLORS[name] !== undefined && name !== 'not_run');
  const failed = entries
    .filter(([name, count]) => COLORS[name] === undefined && count > 0)
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const rest = failed.slice(MAX_FAILURES);
  return [
    ...known.map(([name, count]) => ({ name: inWords(name), count, color: COLORS[name]! })),
    ...failed
      .slice(0, MAX_FAILURES)
      .map(([name, count]) => ({ name: shortName(inWords(name)), count, color: FAILED })),
    ...(rest.length === 0
      ? []
      : [
          {
            name: `failed for ${rest.length} other reasons`,
            count: rest.reduce((sum, [, count]) => sum + count, 0),
            color: FAILED,
          },
        ]),
    ...(classes.not_run > 0 ? [{ name: 'not run', count: classes.not_run, color: COLORS.not_run! }] : []),
  ];
}

function swatch(color: string): Markup {
  return html`<svg viewBox="0 0 1 1" aria-hidden="true"><path d="M0,0h1v1h-1z" fill="${color}"/></svg>`;
}
