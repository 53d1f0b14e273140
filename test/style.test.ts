import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PAGES } from '../docs/generate.ts';
import { styleFaults } from './prose.ts';

/** Pages that people write. Those made from the code have the words of the code, and promises those of their tests. */
const WRITTEN = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...globSync(['docs/*.md', 'docs/dev/*.md', 'examples/*/README.md']),
].filter(
  (file) => !Object.keys(PAGES).some((name) => file === `docs/${name}`) && file !== 'docs/promises.md',
);

describe('style', () => {
  it.each(WRITTEN)('of %s', (file) => {
    expect(styleFaults(file)).toEqual([]);
  });
});

describe('the rules', () => {
  const words = (n: number) => Array.from({ length: n }, () => 'word').join(' ');

  it.each([
    ['a long sentence', `${words(26)}.`],
    ['a long paragraph', Array.from({ length: 9 }, () => `W${words(10)}.`).join(' ')],
    ['a long item of a list', `- ${words(26)}.`],
    ['a metaphor', 'The run has two sittings.'],
    ['two words for one thing', 'The model abstains.'],
    ['a noun clause', 'Of these cases, two are left.'],
    ['more than one sentence behind a mark', `<!-- long sentence -->\n${words(26)}. And ${words(26)}.`],
    ['too many marks', `<!-- long sentence -->\n${words(26)}.\n\n`.repeat(4)],
  ])('find %s', (_, text) => {
    expect(styleFaults('page.md', text)).not.toEqual([]);
  });

  it.each([
    ['a sentence of 25 words', `${words(25)}.`],
    ['code', `\`\`\`text\n${words(90)}\n\`\`\``],
    ['tables', `| ${words(90)} |`],
    ['code in a sentence', 'The field `abstained` is true.'],
    ['a quotation', 'It says "the model abstains".'],
    ['a marked sentence', `<!-- long sentence -->\n${words(26)}.`],
    ['two short sentences', `${words(20)}. And ${words(20)}.`],
  ])('let %s pass', (_, text) => {
    expect(styleFaults('page.md', text)).toEqual([]);
  });
});

describe('the glossary', () => {
  const terms = [...readFileSync('docs/glossary.md', 'utf8').matchAll(/^\| ([^|]+?) (?:\([^|]*\) )?\|/gm)]
    .map(([, term]) => term!)
    .filter((term) => term !== 'term');

  it('is in alphabetical order, each term once', () => {
    expect(terms.length).toBeGreaterThan(20);
    expect(terms).toEqual([...new Set(terms)].toSorted((a, b) => a.localeCompare(b)));
  });

  it('has only terms that other pages use', () => {
    const text = WRITTEN.filter((file) => file !== 'docs/glossary.md')
      .map((file) => readFileSync(file, 'utf8').toLowerCase())
      .join('\n');
    expect(terms.filter((term) => !text.includes(term.toLowerCase().replaceAll('`', '')))).toEqual([]);
  });
});
