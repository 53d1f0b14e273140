import pc from 'picocolors';
import { plain } from '../../core/plain-text.ts';
import { numbers, table } from '../document/blocks.ts';
import type {
  Block,
  Evidence,
  EvidenceItem,
  Fact,
  Inline,
  Matrix,
  ReportDocument,
  Table,
} from '../document/document.ts';
import { type BlockWriter, inlineText, partsFor, tableFor, writeBlock } from '../document/for-format.ts';
import { borderlessTable } from '../layout/borderless-table.ts';
import { TEXT_WIDTH } from '../layout/text-width.ts';
import { displayWidth, wrap } from '../layout/wrap.ts';
import { markedText, noAnswerText } from '../marked-answer.ts';
import { DASH, share } from '../words.ts';

/** What a terminal shows of a document. */
export type TextDocument = Pick<ReportDocument, 'summary' | 'sections'> &
  Partial<Pick<ReportDocument, 'facts' | 'alerts' | 'warnings'>>;

/** A document for a terminal, no line wider than `width` columns but for a word that is. What could harm a patient comes first; other warnings come last, where they are seen. */
export function renderText(
  { summary, sections, facts = [], alerts = [], warnings = [] }: TextDocument,
  width = TEXT_WIDTH,
): string {
  const [first, ...rest] = summary;
  return [
    ...lines(first!, width).map(pc.bold),
    ...rest.flatMap((text) => lines(text, width)),
    '',
    ...alerts.flatMap((alert) => warningLines(alert, width, pc.red)),
    ...(alerts.length === 0 ? [] : ['']),
    ...partsFor(sections, 'text').flatMap(({ title, blocks }) => {
      const written = blockLines(blocks, width);
      const [opening] = partsFor(blocks, 'text');
      // Sentences that open the text, or close it, need no title.
      const isTitled = title !== '' && !(opening?.kind === 'paragraph' && opening.tone !== undefined);
      return written.length === 0 ? [] : [...(isTitled ? lines(title, width).map(pc.bold) : []), ...written];
    }),
    ...(facts.length === 0 ? [] : [pc.bold('Run'), ...factLines(facts, width), '']),
    ...warnings.flatMap((warning) => warningLines(warning, width)),
    ...(warnings.length === 0 ? [] : ['']),
  ]
    .join('\n')
    .replaceAll('\u00a0', ' ');
}

/** `! text`, on as many lines as it needs. */
export function warningLines(warning: string, width: number, color = pc.yellow): string[] {
  return wrap(`${color('!')} ${line(warning)}`, width, { hang: 2 });
}

function blockLines(blocks: readonly Block[], width: number): string[] {
  const writer = linesAt(width);
  return partsFor(blocks, 'text').flatMap((block) => writeBlock(block, writer));
}

function linesAt(width: number): BlockWriter<string[]> {
  return {
    heading: ({ text }) => lines(text, width).map(pc.bold),
    paragraph: ({ text, tone }) => {
      const written = lines(text, width);
      return [...(tone === 'small' ? written.map(pc.dim) : written), ''];
    },
    list: ({ items }) => [...items.flatMap((item) => indented(item, width)), ''],
    facts: ({ facts }) => [...factLines(facts, width), ''],
    code: ({ text }) => [...textLines(text, width), ''],
    cards: ({ cards }) => cards.flatMap(({ title, value }) => indented([title, ': ', value], width)),
    details: ({ summary, blocks }) => [...lines(summary, width).map(pc.bold), ...blockLines(blocks, width)],
    columns: ({ blocks }) => blockLines(blocks, width),
    table: (block) => tableLines(block, width),
    matrix: (block) => tableLines(matrixTable(block), width),
    figure: ({ data, caption }) => [
      ...tableLines({ ...data, showCaption: true }, width),
      ...(caption === '' ? [] : [...indented(caption, width), '']),
    ],
    evidence: (block) => evidenceLines(block, width),
  };
}

/** Each group of rows is a table of its own, its title over the first column. */
function tableLines(whole: Table, width: number): string[] {
  const { columns, groups, more } = tableFor(whole, 'text');
  const [first] = columns;
  const title = whole.showCaption ? whole.caption : first!.title;
  return [
    ...groups.flatMap((group) => [
      ...borderlessTable(
        columns.map((column, c) => ({
          title: line(c === 0 ? (group.title ?? title) : column.title),
          isNumber: column.kind === 'number',
          isSpare: column.isSpare ?? false,
          cells: group.rows.map((row) => (c === 0 ? `  ${cell(row[0]!)}` : cell(row[c]!))),
        })),
        width,
      ),
      '',
    ]),
    ...(more === null ? [] : [...indented(more, width), '']),
  ];
}

/** Counts with their share of the row, for formats without shades. */
export function matrixTable({ caption, columns: [first, ...columns], rows }: Matrix): Table {
  return table(
    caption,
    [first!, ...numbers(...columns, 'cases')],
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
function evidenceLines({ name, question, state, answer, items, traits }: Evidence, width: number): string[] {
  return [
    ...lines(name, width).map(pc.bold),
    ...(question === null ? [] : textLines(question, width)),
    ...indented(state, width),
    '',
    ...textLines(answer === null ? noAnswerText(question) : markedText(answer, items), width),
    '',
    ...items.flatMap((item) => [
      ...wrap(
        `  ${item.number}. ${line(`${item.kind}, ${item.traitName}: ${item.instruction}: ${item.verdict}`)}`,
        width,
        { hang: 5 },
      ),
      ...quoteLines(item.quotes, width),
    ]),
    ...traits.flatMap((trait) => [
      ...indented(
        [trait.name, ': ', trait.value, trait.explanation === null ? '' : ` (${trait.explanation})`],
        width,
      ),
      ...quoteLines(trait.quotes, width),
    ]),
    '',
  ];
}

function quoteLines(quotes: EvidenceItem['quotes'], width: number): string[] {
  return quotes.flatMap(({ text, start }) =>
    wrap(`     ${start === null ? 'not in the answer: ' : ''}"${line(text)}"`, width, { hang: 6 }),
  );
}

/** Names and values in two columns. A value that does not fit beside its name goes below it. */
function factLines(facts: readonly Fact[], width: number): string[] {
  const names = facts.map(([name]) => line(name));
  const longest = Math.max(...names.map(displayWidth));
  const column = longest + 4 <= width / 2 ? longest : 0;
  return facts.flatMap(([, value], i) => {
    const name = `  ${names[i]}${' '.repeat(Math.max(0, column - displayWidth(names[i]!)))}  `;
    const text = line(value);
    const longestWord = Math.max(...text.split(' ').map(displayWidth));
    const isBeside = column > 0 && column + 4 + longestWord <= width;
    return wrap(`${name}${text}`, width, { hang: isBeside ? column + 4 : 4 });
  });
}

function lines(inline: Inline, width: number): string[] {
  return wrap(line(inline), width);
}

function indented(inline: Inline, width: number): string[] {
  return wrap(`  ${line(inline)}`, width, { hang: 2 });
}

/** Text with lines of its own. */
function textLines(text: string, width: number): string[] {
  return text.split(/\r\n|\r|\n/).flatMap((part) => indented(part, width));
}

function cell(content: Inline): string {
  const text = line(content);
  return text === DASH ? '-' : text;
}

const STATUS: Readonly<Record<string, (text: string) => string>> = {
  pass: pc.green,
  fail: pc.red,
  undecided: pc.yellow,
  '!': pc.red,
};

/** Text that cannot command the terminal. */
function line(inline: Inline): string {
  return inlineText(inline, (piece) => {
    if (typeof piece === 'string') return plain(piece);
    return piece.as === 'status'
      ? (STATUS[piece.text.toLowerCase()] ?? pc.bold)(plain(piece.text))
      : plain(piece.text);
  });
}
