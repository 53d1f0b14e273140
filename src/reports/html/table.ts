import { type Content, html, type Markup } from './html.ts';

interface Column {
  readonly title: string;
  /** `number` stands at the right, `text` may wrap. */
  readonly kind?: 'number' | 'text';
}

type Row = readonly Content[];

interface Table {
  /** What the table holds; read aloud, and shown unless `hideCaption`. */
  readonly caption: string;
  readonly columns: readonly Column[];
  /** Rows, or rows under headings; the first cell of a row is its heading. */
  readonly rows: readonly Row[] | readonly RowGroup[];
  readonly className?: string;
  readonly hideCaption?: boolean;
}

interface RowGroup {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** A table in a box of its own that scrolls sideways where the page is narrow; the box can be reached by keyboard. */
export function table({ caption, columns, rows, className = '', hideCaption = false }: Table): Markup {
  const kind = (i: number) => columns[i]?.kind ?? 'plain';
  const lines = (of: readonly Row[]) =>
    of.map(
      ([first, ...cells]) =>
        html`<tr><th scope="row">${first ?? null}</th>${cells.map((cell, i) => html`<td class="${kind(i + 1)}">${cell}</td>`)}</tr>
`,
    );
  const bodies = areGroups(rows)
    ? rows.map(
        (group) =>
          html`<tbody><tr class="group"><th scope="rowgroup" colspan="${columns.length}">${group.title}</th></tr>
${lines(group.rows)}</tbody>`,
      )
    : html`<tbody>${lines(rows)}</tbody>`;
  return scrollBox(
    caption,
    html`<table class="${className}">${hideCaption ? null : html`<caption>${caption}</caption>`}
<thead><tr>${columns.map(({ title }, i) => html`<th scope="col" class="${kind(i)}">${title}</th>`)}</tr></thead>
${bodies}</table>`,
  );
}

function areGroups(rows: Table['rows']): rows is readonly RowGroup[] {
  const [first] = rows;
  return first !== undefined && 'title' in first;
}

export function scrollBox(label: string, content: Content): Markup {
  return html`<div class="scroll" role="group" tabindex="0" aria-label="${label}">${content}</div>`;
}

/** Names and values, one a line. */
export function factTable(caption: string, rows: readonly (readonly [Content, Content])[]): Markup {
  return table({
    caption,
    hideCaption: true,
    className: 'wide named',
    columns: [{ title: 'what' }, { title: 'value', kind: 'text' }],
    rows,
  });
}
