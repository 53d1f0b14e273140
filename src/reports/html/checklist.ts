import type { RunReport } from '../../results/index.ts';
import { CHECKLIST } from './checklist-items.ts';
import { html, type Markup } from './html.ts';
import { table } from './table.ts';
import { cut, DASH } from './words.ts';

const MAX_ANSWER = 1000;

/** The checklist: what the run answers, and what is left to the authors. */
export function reportingChecklist(report: RunReport): Markup {
  return html`<p class="small muted">After the reporting guidelines TRIPOD-LLM and STARD-AI, in our own words and not in their numbering: check against the guideline itself before submitting.</p>
${table({
  caption: 'Reporting checklist',
  hideCaption: true,
  className: 'wide checklist',
  columns: [
    { title: 'item' },
    { title: 'from this run', kind: 'text' },
    { title: 'for the authors', kind: 'text' },
  ],
  rows: CHECKLIST.map(([topic, items]) => ({
    title: topic,
    rows: items.map(({ asks, fromRun, authors }) => {
      const answer = fromRun(report);
      return [
        asks,
        answer === null ? html`<span class="muted">${DASH}</span>` : cut(answer, MAX_ANSWER),
        authors ?? (answer === null ? 'all of it' : ''),
      ];
    }),
  })),
})}`;
}
