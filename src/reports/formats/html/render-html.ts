import { readFileSync } from 'node:fs';
import { parseHTML } from 'linkedom';
import { type Chart, drawChart } from '../../charts/chart.ts';
import { whole } from '../../charts/number-text.ts';
import type { ChartDocument } from '../../charts/svg-chart.ts';
import { BREAK, strong, table, texts } from '../../document/blocks.ts';
import type {
  Block,
  Evidence,
  EvidenceItem,
  Figure,
  Inline,
  Matrix,
  ReportDocument,
  Section,
  Span,
  Table,
} from '../../document/document.ts';
import { type BlockWriter, partsFor, tableFor, writeBlock } from '../../document/for-format.ts';
import { markedAnswer, noAnswerText } from '../../marked-answer.ts';
import { inWords, number, share } from '../../words.ts';
import { type Content, html, type Markup, markupText, raw } from './html.ts';

/** The style sheet has this many shades, up to the darkest on which text is easy to read. */
const SHADES = 10;
/** What is left of the narrowest screen beside its margins. */
const NARROW_BOARD = 340;

/** Nothing may be loaded and nothing may run: a report is read, and data in it that we failed to escape could still do nothing. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

const STYLE = readFileSync(new URL('./style.css', import.meta.url), 'utf8').replace(/\n\s*/g, ' ');

/** A document as one HTML file that needs nothing else: no script, nothing to load. The same document gives the same bytes. */
export function renderHtml(document: ReportDocument): string {
  const { title, badges, facts, alerts = [], warnings, footer } = document;
  const sections = partsFor(document.sections, 'html');
  return markupText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Krisis</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<div class="page">
<header><h1>${title}</h1>
${badges.length === 0 ? null : html`<ul class="badges">${badges.map(({ tone, text }) => html`<li class="badge ${tone}">${text}</li>`)}</ul>`}
</header>
<main>
${
  alerts.length + warnings.length === 0
    ? null
    : html`<section class="first" aria-labelledby="first-title"><h2 id="first-title">Before quoting a number</h2>
<ul>${alerts.map((alert) => html`<li><strong>${alert}</strong></li>`)}${warnings.map((warning) => html`<li>${warning}</li>`)}</ul></section>`
}
${sections.slice(0, 1).map(sectionMarkup)}
<nav aria-label="Contents"><ul>${sections.map(({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
${sections.slice(1).map(sectionMarkup)}
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${line(name)}</dt><dd>${line(value)}</dd></div>`)}</dl>
</main>
<footer><p>${footer}</p></footer>
</div>
</body>
</html>
`);
}

function sectionMarkup({ id, title, blocks }: Section): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${blocksMarkup(blocks)}
</section>
`;
}

function blocksMarkup(blocks: readonly Block[]): Content {
  return partsFor(blocks, 'html').map(
    (block) => html`${blockMarkup(block)}
`,
  );
}

export function blockMarkup(block: Block): Markup {
  return writeBlock(block, MARKUP);
}

const MARKUP: BlockWriter<Markup> = {
  heading: ({ text }) => html`<h3>${text}</h3>`,
  paragraph: ({ text, tone }) =>
    html`<p${tone ? html` class="${tone === 'small' ? 'small muted' : 'lead'}"` : null}>${line(text)}</p>`,
  list: ({ items }) => html`<ul>${items.map((item) => html`<li>${line(item)}</li>`)}</ul>`,
  facts: ({ caption, facts }) =>
    tableMarkup(table(caption, ['what', ...texts('value')], facts, { layout: 'wide named' })),
  code: ({ text }) => html`<pre>${text}</pre>`,
  cards: ({ cards }) =>
    html`<div class="cards">${cards.map(
      ({ title, value, lines, isPrimary, state, beside }) => html`<div class="card"><h3>${title}</h3>
<div class="value">${value}</div>
${state === 'worse' ? html`<p class="tag">worse than the guideline</p>` : null}${lines.map((text) => html`<p>${text}</p>`)}${beside.length === 0 ? null : html`<p>${beside.map(({ name, value: of }) => `${name} ${number(of)}`).join(', ')}</p>`}${isPrimary ? html`<p class="tag">primary endpoint</p>` : null}</div>`,
    )}</div>`,
  details: ({ summary, blocks, isList }) => details(summary, blocksMarkup(blocks), isList),
  columns: ({ layout, blocks }) => html`<div class="${layout}">${blocksMarkup(blocks)}</div>`,
  table: tableMarkup,
  matrix: matrixMarkup,
  figure: figureMarkup,
  evidence: evidenceMarkup,
};

/** A table in a box of its own that scrolls sideways where the page is narrow; the box can be reached by keyboard. */
function tableMarkup(whole: Table): Markup {
  const { columns, groups, more } = tableFor(whole, 'html');
  const kind = (i: number) => columns[i]?.kind ?? 'plain';
  return html`${scrollBox(
    whole.caption,
    html`<table class="${whole.layout ?? ''}">${whole.showCaption ? html`<caption>${whole.caption}</caption>` : null}
<thead><tr>${columns.map(({ title }, i) => html`<th scope="col" class="${kind(i)}">${title}</th>`)}</tr></thead>
${groups.map(
  ({ title, rows }) =>
    html`<tbody>${
      title === null
        ? null
        : html`<tr class="group"><th scope="rowgroup" colspan="${columns.length}">${title}</th></tr>
`
    }${rows.map(
      ([first, ...cells]) =>
        html`<tr><th scope="row">${line(first!)}</th>${cells.map((cell, i) => html`<td class="${kind(i + 1)}">${line(cell)}</td>`)}</tr>
`,
    )}</tbody>`,
)}</table>`,
  )}${more === null ? null : html`<p class="small muted">${more}.</p>`}`;
}

/** Right answers are framed; shade follows the share of the row, and the number is always there. */
function matrixMarkup({ label, caption, columns: [first, ...columns], firstApart, rows }: Matrix): Markup {
  const apart = (column: number) => (column === firstApart ? ' apart' : '');
  return scrollBox(
    label,
    html`<table class="matrix"><caption>${caption}</caption>
<thead><tr><th scope="col">${first!}</th>${columns.map((title, i) => html`<th scope="col" class="${apart(i).trim()}">${title}</th>`)}<th scope="col" class="apart">cases</th></tr></thead>
<tbody>${rows.map(({ title, counts, right }) => {
      const total = counts.reduce((sum, count) => sum + count, 0);
      const cells = counts.map((count, i) => {
        const kind = i === right ? 'hit' : i >= firstApart ? 'aside' : 'miss';
        const shade = total === 0 ? 0 : Math.round((SHADES * count) / total);
        return html`<td class="${shade > 0 ? `${kind}-${shade}` : ''}${i === right ? ' right' : ''}${apart(i)}">${whole(count)}${count === 0 ? null : html`<span>${share(count, total)}</span>`}</td>`;
      });
      return html`<tr><th scope="row">${title}</th>${cells}<td class="apart">${whole(total)}</td></tr>
`;
    })}</tbody></table>`,
  );
}

function figureMarkup({ chart, caption, data, legend, isWide }: Figure): Markup {
  const { document } = parseHTML('<!doctype html><html></html>');
  const svg = raw(chart.chart === 'board' ? boardDrawings(chart, document) : drawChart(chart, document));
  const words = html`<figcaption>${caption}</figcaption>`;
  if (legend === undefined)
    return html`<figure${isWide ? html` class="side"` : null}>${svg}<div>${words}${details('The data as a table', tableMarkup(data))}</div></figure>`;
  return html`<figure class="bar">${svg}
<ul class="legend">${legend.map(
    ({ name, count, share: part, color }) =>
      html`<li><svg viewBox="0 0 1 1" aria-hidden="true"><path d="M0,0h1v1h-1z" fill="${color}"/></svg>${name} <strong>${count}</strong> <span class="muted">${part}</span></li>`,
  )}</ul>
${words}</figure>`;
}

/** A board as wide as the page, and one for a telephone; the style sheet shows one of them. */
function boardDrawings(chart: Extract<Chart, { chart: 'board' }>, document: ChartDocument): string {
  const narrow = { ...chart, data: { ...chart.data, width: NARROW_BOARD } };
  return `<div class="board">${drawChart(chart, document)}</div><div class="board narrow">${drawChart(narrow, document)}</div>`;
}

function evidenceMarkup({ id, name, state, question, answer, items, traits }: Evidence): Markup {
  const instructions = table(
    `Instructions for ${name}`,
    ['no.', 'trait', 'kind', ...texts('instruction'), 'verdict', ...texts('quote')],
    items.map((item) => [
      String(item.number),
      item.traitName,
      item.kind,
      item.instruction,
      strong(item.verdict),
      quotesCell(item.quotes),
    ]),
    { layout: 'wide' },
  );
  const hasReasons = traits.some(({ explanation, quotes }) => explanation !== null || quotes.length > 0);
  const others = table(
    `Other traits of ${name}`,
    ['trait', 'kind', ...texts('value', ...(hasReasons ? ['reason', 'quote'] : []))],
    traits.map(({ name: trait, source, value, explanation, quotes }) => [
      trait,
      source,
      value,
      ...(hasReasons ? [explanation ?? '', quotesCell(quotes)] : []),
    ]),
  );
  return html`<details class="evidence" id="${id}"><summary><strong>${name}</strong> ${state}</summary>
${question === null ? html`<p class="muted">The question is protected, and not in the run.</p>` : html`<p>${question}</p>`}
${answer === null ? html`<p class="muted">${noAnswerText(question)}</p>` : html`<div class="answer">${marked(answer, items)}</div>`}
${items.length === 0 ? null : tableMarkup(instructions)}
${traits.length === 0 ? null : tableMarkup(others)}</details>`;
}

function quotesCell(quotes: EvidenceItem['quotes']): Inline {
  return quotes.map(
    ({ text, start }, i): Inline => [
      i === 0 ? '' : BREAK,
      start === null ? 'not in the answer: ' : '',
      { text, as: 'quote' },
    ],
  );
}

function marked(answer: string, items: readonly EvidenceItem[]): Markup[] {
  return markedAnswer(answer, items).map(({ text, items: own, ends }) => {
    const labels = ends.map(
      (item) => html`<span class="label">[${item.number} ${inWords(item.class)}]</span>`,
    );
    if (own.length === 0) return html`${text}${labels}`;
    // Where quotes overlap, what counts against the answer must not be hidden.
    const effect = (['against', 'open', 'for'] as const).find((one) =>
      own.some((item) => item.effect === one),
    )!;
    return html`<mark class="${effect}${own.length > 1 ? ' several' : ''}">${text}</mark>${labels}`;
  });
}

function details(summary: string, content: Content, isList = false): Markup {
  return html`<details${isList ? html` class="list"` : null}><summary>${summary}</summary>${content}</details>`;
}

function scrollBox(label: string, content: Content): Markup {
  return html`<div class="scroll" role="group" tabindex="0" aria-label="${label}">${content}</div>`;
}

function line(inline: Inline): Content {
  if (typeof inline === 'string') return inline;
  return 'as' in inline ? SPANS[inline.as](inline) : inline.map(line);
}

const SPANS: Readonly<Record<Span['as'], (span: Span) => Markup>> = {
  code: ({ text }) => html`<code>${text}</code>`,
  strong: ({ text }) => html`<strong>${text}</strong>`,
  muted: ({ text }) => html`<span class="muted">${text}</span>`,
  quote: ({ text }) => html`<q>${text}</q>`,
  status: ({ text }) => html`<span class="status ${text}">${text}</span>`,
  link: ({ text, to }) => html`<a href="#${to ?? ''}">${text}</a>`,
  record: ({ text }) => html`${text}`,
  break: () => html`<br>`,
};
