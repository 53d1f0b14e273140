import pc from 'picocolors';
import { plain } from '../../core/index.ts';
import { borderlessTable, right } from '../borderless-table.ts';
import { numbers, table } from '../document/blocks.ts';
import type { Block, Evidence, Fact, Inline, Matrix, ReportDocument, Table } from '../document/document.ts';
import { type BlockWriter, inlineText, partsFor, tableFor, writeBlock } from '../document/for-format.ts';
import { markedText, noAnswerText } from '../marked-answer.ts';
import { DASH, share } from '../words.ts';

/** What a terminal shows of a document. */
export type TextDocument = Pick<ReportDocument, 'summary' | 'sections'> &
  Partial<Pick<ReportDocument, 'facts' | 'warnings'>>;

/** A document for a terminal. Warnings come last, where they are seen. */
export function renderText({ summary, sections, facts = [], warnings = [] }: TextDocument): string {
  const [first, ...rest] = summary;
  return [
    pc.bold(line(first!)),
    ...rest.map(line),
    '',
    ...partsFor(sections, 'text').flatMap(({ title, blocks }) => {
      const lines = blockLines(blocks);
      const [opening] = partsFor(blocks, 'text');
      // Sentences that open the text, or close it, need no title.
      const isTitled = !(opening?.kind === 'paragraph' && opening.tone !== undefined);
      return lines.length === 0 ? [] : [...(isTitled ? [pc.bold(line(title))] : []), ...lines];
    }),
    ...(facts.length === 0 ? [] : [pc.bold('Run'), ...factLines(facts), '']),
    ...warnings.map((warning) => `${pc.yellow('!')} ${line(warning)}`),
    ...(warnings.length === 0 ? [] : ['']),
  ].join('\n');
}

function blockLines(blocks: readonly Block[]): string[] {
  return partsFor(blocks, 'text').flatMap((block) => writeBlock(block, LINES));
}

const LINES: BlockWriter<string[]> = {
  heading: ({ text }) => [pc.bold(line(text))],
  paragraph: ({ text, tone }) => [tone === 'small' ? pc.dim(line(text)) : line(text), ''],
  list: ({ items }) => [...items.map((item) => `  ${line(item)}`), ''],
  facts: ({ facts }) => [...factLines(facts), ''],
  code: ({ text }) => [...indented(text), ''],
  cards: ({ cards }) => cards.map(({ title, value }) => `  ${line(title)}: ${line(value)}`),
  details: ({ summary, blocks }) => [pc.bold(line(summary)), ...blockLines(blocks)],
  columns: ({ blocks }) => blockLines(blocks),
  table: tableLines,
  matrix: (block) => tableLines(matrixTable(block)),
  figure: ({ data, caption }) => [
    ...tableLines({ ...data, showCaption: true }),
    ...(caption === '' ? [] : [`  ${line(caption)}`, '']),
  ],
  evidence: evidenceLines,
};

/** Each group of rows is a table of its own, its title over the first column. */
function tableLines(whole: Table): string[] {
  const { columns, groups, more } = tableFor(whole, 'text');
  const [first, ...heads] = columns;
  const title = whole.showCaption ? whole.caption : first!.title;
  return [
    ...groups.flatMap((group) => [
      borderlessTable(
        line(group.title ?? title),
        heads.map((column) => (column.kind === 'number' ? right(line(column.title)) : line(column.title))),
        group.rows.map(([name, ...cells]) => [
          `  ${cell(name!)}`,
          ...cells.map((content, i) => (heads[i]!.kind === 'number' ? right(cell(content)) : cell(content))),
        ]),
      ),
      '',
    ]),
    ...(more === null ? [] : [`  ${more}`, '']),
  ];
}

/** Counts with their share of the row, for formats without shades. */
export function matrixTable({ caption, columns: [first, ...columns], rows }: Matrix): Table {
  return table(
    caption,
    [first!, ...numbers(...columns, 'rows')],
    rows.map(({ title, counts }) => {
      const total = counts.reduce((sum, count) => sum + count, 0);
      return [
        title,
        ...counts.map((count) => (count === 0 ? '0' : `${count} (${share(count, total)})`)),
        String(total),
      ];
    }),
  );
}

/** The answer with the numbers of the instructions that quote it; then the instructions. */
function evidenceLines({ name, question, state, answer, items, traits }: Evidence): string[] {
  return [
    pc.bold(line(name)),
    ...(question === null ? [] : indented(question)),
    `  ${line(state)}`,
    '',
    ...(answer === null ? [`  ${noAnswerText(question)}`] : indented(markedText(answer, items))),
    '',
    ...items.flatMap((item) => [
      `  ${item.number}. ${line(`${item.kind}, ${item.traitName}: ${item.instruction}: ${item.verdict}`)}`,
      ...item.quotes.map(
        ({ text, start }) => `     ${start === null ? 'not in the answer: ' : ''}"${line(text)}"`,
      ),
    ]),
    ...traits.map((trait) => `  ${line(trait.name)}: ${line(trait.value)}`),
    '',
  ];
}

function factLines(facts: readonly Fact[]): string[] {
  const width = Math.max(...facts.map(([name]) => line(name).length));
  return facts.map(([name, value]) => `  ${line(name).padEnd(width)}  ${line(value)}`);
}

function indented(text: string): string[] {
  return text.split(/\r\n|\r|\n/).map((part) => `  ${line(part)}`);
}

function cell(content: Inline): string {
  const text = line(content);
  return text === DASH ? '-' : text;
}

const STATUS: Readonly<Record<string, (text: string) => string>> = {
  pass: pc.green,
  fail: pc.red,
  undecided: pc.yellow,
};

function line(inline: Inline): string {
  return inlineText(inline, (piece) => {
    if (typeof piece === 'string') return safe(piece);
    return piece.as === 'status' ? (STATUS[piece.text] ?? pc.bold)(safe(piece.text)) : safe(piece.text);
  });
}

/** Text that cannot command the terminal; blanks that do not break become plain ones. */
function safe(text: string): string {
  return plain(text).replaceAll('\u00a0', ' ');
}
