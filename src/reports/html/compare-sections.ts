import type { Comparison, GateVerdict, RunReport } from '../../results/index.ts';
import type { ChartDocument } from '../charts/index.ts';
import { BEHAVIOUR_COLUMNS, CORRECTNESS_COLUMNS, COST_COLUMNS, modelMarks } from '../compare-columns.ts';
import { compareMethodText } from '../compare-method-text.ts';
import { overlaidCharts } from './compare-charts.ts';
import { pairSection } from './compare-pair.ts';
import { html, type Markup, raw } from './html.ts';
import type { Section } from './page.ts';
import { table } from './table.ts';
import { verdictTable } from './verdicts.ts';

/** The parts of a comparison, in the order in which they are read. */
export function compareSections(
  comparison: Comparison,
  reports: readonly RunReport[],
  verdicts: readonly GateVerdict[],
  document: ChartDocument,
): Section[] {
  const { pairs } = comparison;
  return [
    { id: 'models', title: 'Models side by side', body: modelTables(comparison) },
    ...(verdicts.length === 0 ? [] : [{ id: 'gates', title: 'Conditions', body: verdictTable(verdicts) }]),
    ...pairs.map((pair, i) => ({
      id: `pair-${i + 1}`,
      title: `${pair.model} against ${pair.baseline}`,
      body: pairSection(pair, comparison),
    })),
    {
      id: 'charts',
      title: 'Confidence: what it says, and what it is good for',
      body: overlaidCharts(
        comparison.models.map(({ name }, m) => ({ name, figures: reports[m]!.figures })),
        document,
      ),
    },
    {
      id: 'method',
      title: 'Method',
      body: html`<p>${pairs.length === 0 ? 'No two runs can be paired, so there is no comparison.' : compareMethodText(comparison)}</p>`,
    },
  ];
}

function modelTables({ models }: Comparison): Markup {
  const marked = (model: Comparison['models'][number]) => {
    const marks = modelMarks(model);
    return html`${modelName(model.name)}${marks.length === 0 ? null : html` <span class="small muted">${marks.join(', ')}</span>`}`;
  };
  const tables = [
    ['Right, and how often it decides rightly', CORRECTNESS_COLUMNS],
    ['When it abstains, and how sure it is', BEHAVIOUR_COLUMNS],
    ['What it took', COST_COLUMNS],
  ] as const;
  return html`<p>In the order given; nobody is ranked. In round brackets the interval, in square brackets what rows that failed could have made of it.</p>
${tables.map(
  ([caption, columns]) => html`<h3>${caption}</h3>
${table({
  caption,
  hideCaption: true,
  columns: [{ title: 'model' }, ...columns.map(({ title }) => ({ title, kind: 'number' as const }))],
  rows: models.map((model) => [marked(model), ...columns.map((column) => column.cell(model))]),
})}`,
)}`;
}

/** A name that may break where it has a stroke, so that it fits into a narrow column. */
function modelName(name: string): Markup {
  const parts = name.split(/(?<=[/_-])/);
  return html`<code>${parts.map((part, i) => html`${i === 0 ? null : raw('<wbr>')}${part}`)}</code>`;
}
