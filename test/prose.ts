import { readFileSync } from 'node:fs';

/** Rules of style for pages that people write: short sentences and paragraphs, plain phrases, one word for each thing. `node test/prose.ts PAGE...` lists what breaks them. */

const MAX_SENTENCE_WORDS = 25;
const MAX_PARAGRAPH_WORDS = 80;
/** Stands on a line of its own before a paragraph or a list item whose one long sentence is wanted. */
const MARK = '<!-- long sentence -->';
const MAX_MARKS = 3;

/** Phrases to avoid, with what to write. Code and quotations are not searched. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bsittings?\b|\bglances?\b|\bmercy\b|\btorture\b|\bdoors?\b|\bbets?\b/i, 'no metaphors'],
  [/\babstain(?:s|ed|ing)?\b|\babstentions?\b/i, 'defer'],
  [/\b(?:model|models|it) declin(?:es?|ed)\b/i, 'defer'],
  [/\bheld back\b|\bwithheld by\b/i, 'deferred'],
  [/\bcalled for\b|\bstands? beside\b|\bas it is\b|\bdoes so\b|\bpaid apart\b/i, 'say it plainly'],
  [/\b(?:is|are|was|were) no (?!longer|more|less|fewer|different|such)\b/i, 'is not a'],
  [/\bsurer?\b(?! that)/i, 'more confident'],
  [/\bgrave(?:r|st)?\b/i, 'severe'],
  [/(?:^|[.!?] )Of [a-z]/, 'begin with the subject'],
];

/** Pages on which the word of another tool, or of code, is meant. */
const OWN_WORDS: Readonly<Record<string, RegExp>> = {
  'docs/glossary.md': /^defer$/,
  'docs/other-tools.md': /^defer$/,
};

/** What breaks a rule on a page, with the place. */
export function styleFaults(file: string, text = readFileSync(file, 'utf8')): string[] {
  const faults: string[] = [];
  let marks = 0;
  for (const { line, text: paragraph, isMarked } of paragraphs(text)) {
    const place = `${file}:${line}`;
    const n = countWords(paragraph);
    if (n > MAX_PARAGRAPH_WORDS) faults.push(`${place}: a paragraph of ${n} words: ${start(paragraph)}`);
    const long = sentences(paragraph).filter((sentence) => countWords(sentence) > MAX_SENTENCE_WORDS);
    if (isMarked) marks += 1;
    for (const sentence of long.slice(isMarked ? 1 : 0))
      faults.push(`${place}: a sentence of ${countWords(sentence)} words: ${start(sentence)}`);
    for (const [phrase, better] of PHRASES) {
      const found = phrase.exec(paragraph);
      if (found !== null && OWN_WORDS[file]?.test(better) !== true)
        faults.push(`${place}: "${found[0].trim()}": ${better}`);
    }
  }
  if (marks > MAX_MARKS) faults.push(`${file}: ${marks} marked sentences; at most ${MAX_MARKS}`);
  return faults;
}

interface Paragraph {
  readonly line: number;
  readonly text: string;
  readonly isMarked: boolean;
}

/** Paragraphs and list items as people read them: without code blocks, tables, headings and comments. */
function paragraphs(markdown: string): Paragraph[] {
  const found: Paragraph[] = [];
  let lines: string[] = [];
  let from = 0;
  let isCode = false;
  let isMarked = false;
  const end = () => {
    const text = plain(lines.join(' '));
    if (text !== '') {
      found.push({ line: from, text, isMarked });
      isMarked = false;
    }
    lines = [];
  };
  for (const [i, line] of [...markdown.split('\n'), ''].entries()) {
    const isFence = /^\s*```/.test(line);
    if (isFence) isCode = !isCode;
    if (line.trim() === MARK) isMarked = true;
    const isApart = isFence || isCode || /^\s*(?:\||#|<!--|!\[|$|---$)/.test(line) || /^ {4}/.test(line);
    const isItem = /^\s*(?:[-*]|\d+\.) /.test(line);
    if (isApart || isItem) end();
    if (isApart) continue;
    if (lines.length === 0) from = i + 1;
    lines.push(line.replace(/^\s*(?:>|[-*]|\d+\.) /, ''));
  }
  return found;
}

/** Text without marks: code is one word, a link its text, and a quotation is kept out of the rules. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/`[^`]*`/g, 'CODE')
    .replaceAll(/"[^"]*"/g, 'QUOTE')
    .replaceAll(/<[^>]*>|\*\*|(?<!\w)\*(?!\s)|(?<!\s)\*(?!\w)/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const SHORT = /\b(?:e\.g|i\.e|et al|vs|cf|approx|Dr|No|Fig|p)\.$/;

function sentences(paragraph: string): string[] {
  const found: string[] = [];
  for (const part of paragraph.split(/(?<=[.!?][)\]]?) +(?=[A-Z(\d[])/)) {
    const last = found.at(-1);
    if (last !== undefined && SHORT.test(last)) found[found.length - 1] = `${last} ${part}`;
    else found.push(part);
  }
  return found;
}

/** Words as people count them: anything with a letter or a digit. */
function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

function start(text: string): string {
  return text.length > 90 ? `${text.slice(0, 90)}...` : text;
}

if (import.meta.main) for (const file of process.argv.slice(2)) console.log(styleFaults(file).join('\n'));
