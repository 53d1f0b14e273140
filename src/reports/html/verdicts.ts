import type { GateVerdict } from '../../results/index.ts';
import { html, type Markup } from './html.ts';
import { table } from './table.ts';

/** The conditions a run had to meet. A verdict is a word, never a colour alone. */
export function verdictTable(verdicts: readonly GateVerdict[]): Markup {
  return table({
    caption: 'Conditions',
    hideCaption: true,
    columns: [{ title: 'condition' }, { title: 'verdict' }, { title: 'why', kind: 'text' }],
    rows: verdicts.map(({ text, status, message }) => [
      html`<code>${text}</code>`,
      html`<span class="status ${status}">${status}</span>`,
      message,
    ]),
  });
}
