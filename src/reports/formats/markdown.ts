import { plain } from '../../core/plain-text.ts';
import type {
  Block,
  Evidence,
  EvidenceItem,
  Fact,
  Inline,
  ReportDocument,
  Table,
} from '../document/document.ts';
import { type BlockWriter, inlineText, partsFor, tableFor, writeBlock } from '../document/for-format.ts';
import { markedText, noAnswerText } from '../marked-answer.ts';
import { DASH } from '../words.ts';
import { matrixTable } from './text.ts';

/** A document for a paper or a pull request. */
export function renderMarkdown(document: ReportDocument): string {
  const { title, facts, badges, alerts = [], sections, footer } = document;
  const warnings = [...alerts.map(strongText), ...document.warnings.map(markdownText)];
  const parts = [
    `# ${markdownText(title)}`,
    ...(badges.length === 0 ? [] : [badges.map(({ text }) => `**${markdownText(text)}**`).join(', ')]),
    factList(facts),
    ...(warnings.length === 0
      ? []
      : ['## Before quoting a number', warnings.map((warning) => `- ${warning}`).join('\n')]),
    ...partsFor(sections, 'md').flatMap(({ title: name, blocks }) => {
      const own = blockParts(blocks);
      return own.length === 0 ? [] : [`## ${markdownText(name)}`, ...own];
    }),
    ...(footer === '' ? [] : [markdownText(footer)]),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function strongText(text: string): string {
  return `**${markdownText(text)}**`;
}

function blockParts(blocks: readonly Block[]): string[] {
  return partsFor(blocks, 'md').flatMap((block) => writeBlock(block, PARTS));
}

const PARTS: BlockWriter<string[]> = {
  heading: ({ text }) => [`### ${markdownText(text)}`],
  paragraph: ({ text }) => [line(text)],
  list: ({ items }) => [items.map((item) => `- ${line(item)}`).join('\n')],
  facts: ({ facts }) => [factList(facts)],
  code: ({ text }) => [codeBlock(text)],
  cards: ({ cards }) => [
    cards.map(({ title, value }) => `- ${markdownText(`${title}: ${value}`)}`).join('\n'),
  ],
  details: ({ summary, blocks }) => [`**${markdownText(summary)}**`, ...blockParts(blocks)],
  columns: ({ blocks }) => blockParts(blocks),
  table: tableParts,
  matrix: (block) => tableParts({ ...matrixTable(block), showCaption: true }),
  figure: ({ data, caption }) => [...tableParts({ ...data, showCaption: true }), markdownText(caption)],
  evidence: evidenceParts,
};

function factList(facts: readonly Fact[]): string {
  return facts.map(([name, value]) => `- ${line(name)}: ${line(value)}`).join('\n');
}

/** Groups of rows are tables of their own; words are aligned at the left, numbers at the right. */
function tableParts(whole: Table): string[] {
  const { columns, groups, more } = tableFor(whole, 'md');
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = columns.map(({ kind }, i) => (kind === 'number' && i > 0 ? '---:' : '---'));
  return [
    ...(whole.showCaption ? [`**${markdownText(whole.caption)}**`] : []),
    ...groups.flatMap(({ title, rows }) => [
      ...(title === null ? [] : [`**${markdownText(title)}**`]),
      [columns.map((column) => markdownText(column.title)), rule, ...rows.map((cells) => cells.map(cell))]
        .map(row)
        .join('\n'),
    ]),
    ...(more === null ? [] : [more]),
  ];
}

/** A fence that is longer than any in the text. */
function codeBlock(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must go
  const safe = text.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '?');
  return `${fence}text\n${safe}\n${fence}`;
}

function evidenceParts({ name, question, state, answer, items, traits }: Evidence): string[] {
  const marked =
    answer === null ? [noAnswerText(question)] : markedText(answer, items, markdownLines).split('\n');
  const instructions = items.map((item) => {
    return `${item.number}. ${markdownText(`${item.kind}, ${item.traitName}: ${item.instruction}`)}: **${markdownText(item.verdict)}**${quotesText(item.quotes)}`;
  });
  return [
    `### ${markdownText(name)}`,
    ...(question === null ? [] : [markdownText(question)]),
    `${markdownText(state)}.`,
    marked.map((part) => `> ${part}`.trimEnd()).join('\n'),
    instructions.join('\n'),
    traits
      .map(({ name, value, explanation, quotes }) => {
        const why = explanation === null ? '' : ` (${explanation})`;
        return `- ${markdownText(`${name}: ${value}${why}`)}${quotesText(quotes)}`;
      })
      .join('\n'),
  ].filter((part) => part !== '');
}

function quotesText(quotes: EvidenceItem['quotes']): string {
  const said = quotes.map(
    ({ text, start }) => `${start === null ? 'not in the answer: ' : ''}“${markdownText(text)}”`,
  );
  return said.length === 0 ? '' : ` ${said.join(', ')}`;
}

/** Text with its line breaks kept; two blanks at the end of a line would be lost. */
function markdownLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(spaced)
    .join('\\\n');
}

function cell(content: Inline): string {
  const text = line(content);
  return text === DASH ? '-' : text;
}

function line(inline: Inline): string {
  return inlineText(inline, (piece) => {
    if (typeof piece === 'string') return spaced(piece);
    const isStrong = piece.as === 'strong' || piece.as === 'status';
    return isStrong ? `**${spaced(piece.text)}**` : spaced(piece.text);
  });
}

/** Escaped, with a blank kept at either end: a piece may begin or end with one. */
function spaced(text: string): string {
  if (text.trim() === '') return text === '' ? '' : ' ';
  const [before, after] = [/^\s/.test(text) ? ' ' : '', /\s$/.test(text) ? ' ' : ''];
  return `${before}${markdownText(text.trim())}${after}`;
}

/**
 * Text for one line or one table cell of Markdown: all markup in it is escaped.
 *
 * @example
 * ```ts
 * markdownText('a|b <i> [x](y)') // => 'a\\|b \\<i\\> \\[x\\](y)'
 * ```
 */
export function markdownText(text: string): string {
  return plain(text.replace(/\s+/g, ' '))
    .replaceAll('&', '&amp;')
    .replace(/[\\|`*_[\]<>$~#]/g, '\\$&');
}
