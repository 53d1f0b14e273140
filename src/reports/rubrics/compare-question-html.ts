import type { GateVerdict, ItemFlip, QuestionComparison, QuestionPair } from '../../results/index.ts';
import { dataDetails, html, type Markup, page, type Section, table, verdictTable } from '../html/index.ts';
import type { ReportOptions } from '../report-options.ts';
import {
  FLIP_TITLES,
  flipCells,
  modelNote,
  modelTables,
  PAIR_TITLES,
  pairCells,
  questionCompareMethod,
} from './compare-question-cells.ts';

/** More lines than this nobody reads in a page; the JSON has all of them. */
const MOST_FLIPS = 100;

/** A comparison on open questions as one HTML file that needs nothing else. */
export function compareQuestionHtml(
  comparison: QuestionComparison,
  { verdicts = [] }: ReportOptions = {},
): string {
  const { models, suiteName, warnings } = comparison;
  return page({
    title: `${models.length} models on ${suiteName} – Krisis comparison`,
    header: header(comparison),
    first:
      warnings.length === 0
        ? null
        : html`<section class="first" aria-labelledby="first-title"><h2 id="first-title">What must be known first</h2>
<ul>${warnings.map(({ message }) => html`<li>${message}</li>`)}</ul></section>`,
    sections: sections(comparison, verdicts),
    footer: html`<p>Made by Krisis. A comparison of models on a benchmark: not a medical device, not a clinical study, and no advice for any patient.</p>`,
  });
}

function header({ models, suiteName, suiteHash, baseline }: QuestionComparison): Markup {
  const facts: [string, string | Markup][] = [
    ...models.map((model): [string, Markup] => [
      model.name === baseline ? 'Baseline' : 'Model',
      html`<code>${model.name}</code> <span class="small muted">${modelNote(model)}</span>`,
    ]),
    ['Suite hash', html`<code>${suiteHash}</code>`],
  ];
  return html`<h1>${models.length} models on ${suiteName}</h1>
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

const numeric = (title: string) => ({ title, kind: 'number' as const });

function sections(comparison: QuestionComparison, verdicts: readonly GateVerdict[]): Section[] {
  return [
    {
      id: 'models',
      title: 'Models side by side',
      body: html`<p>In the order given; nobody is ranked. In round brackets the interval, in square brackets what unscored items could have made of it.</p>
${modelTables(comparison).map(
  ({ title, columns, rows }) => html`<h3>${title}</h3>
${table({
  caption: title,
  hideCaption: true,
  columns: [{ title: 'model' }, ...columns.map(numeric)],
  rows: rows.map(({ model, cells }) => [html`<code>${model.name}</code>`, ...cells]),
})}`,
)}`,
    },
    ...(verdicts.length === 0 ? [] : [{ id: 'gates', title: 'Conditions', body: verdictTable(verdicts) }]),
    ...comparison.pairs.map((pair, i) => ({
      id: `pair-${i + 1}`,
      title: `${pair.model} against ${pair.baseline}`,
      body: pairBody(pair),
    })),
    { id: 'method', title: 'Method', body: html`<p>${questionCompareMethod(comparison)}</p>` },
  ];
}

function pairBody({ model, baseline, scores, flips }: QuestionPair): Markup {
  return html`${table({
    caption: `${model} against ${baseline}`,
    hideCaption: true,
    className: 'wide',
    columns: [{ title: 'score' }, ...PAIR_TITLES.map(numeric), { title: 'in words', kind: 'text' }],
    rows: scores.map((score) => [score.label, ...pairCells(score), score.inWords]),
  })}
<p>Items scored in both: ${flips.nCompared}.</p>
${flipDetails(`Only ${baseline} right`, flips.onlyBaselineRight)}
${flipDetails(`Only ${model} right`, flips.onlyModelRight)}`;
}

function flipDetails(title: string, flips: readonly ItemFlip[]): Markup {
  if (flips.length === 0) return html`<p>${title}: no item.</p>`;
  const left = flips.length - MOST_FLIPS;
  return dataDetails(
    `${title}: ${flips.length}`,
    html`${table({
      caption: title,
      hideCaption: true,
      columns: [
        { title: 'question' },
        ...FLIP_TITLES.map((name) => ({ title: name, kind: 'text' as const })),
      ],
      rows: flips.slice(0, MOST_FLIPS).map(flipCells),
    })}${left > 0 ? html`<p class="small muted">And ${left} more: the JSON has all of them.</p>` : null}`,
  );
}
