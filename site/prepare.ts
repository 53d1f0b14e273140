import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SECTIONS, slug } from './pages.ts';

/**
 * Makes the pages that Starlight reads from the Markdown files in `docs`, which stay readable on their own: the heading becomes the title, the first sentence the description, and links
 * to files become links to pages of the site or to the repository. Tables can be scrolled by keyboard.
 */
const ROOT = join(import.meta.dirname, '..');
const PAGES = join(import.meta.dirname, 'src/content/docs');
const IMAGES = join(import.meta.dirname, 'public/images');
const SCHEMAS = join(import.meta.dirname, 'public/schemas');
const { homepage } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { homepage: string };
const REPOSITORY = homepage.replace(/#.*/, '');
const MAX_DESCRIPTION = 160;
/** Pages that list everything match every question; the search leaves them out. */
const NOT_SEARCHED = ['promises', 'command-reference'];

const names = SECTIONS.flatMap(({ pages }) => pages);
rmSync(PAGES, { recursive: true, force: true });
rmSync(IMAGES, { recursive: true, force: true });
cpSync(join(ROOT, 'docs/images'), IMAGES, {
  recursive: true,
  filter: (path) => !/\.ts$|images.source/.test(path),
});
cpSync(join(ROOT, 'docs/schemas'), SCHEMAS, { recursive: true });
for (const name of names) writePage(name, readFileSync(join(ROOT, 'docs', `${name}.md`), 'utf8'));
cpSync(join(import.meta.dirname, 'index.mdx'), join(PAGES, 'index.mdx'));

function writePage(name: string, text: string): void {
  const heading = /^# (.+)\n/.exec(text);
  if (heading === null) throw new Error(`docs/${name}.md does not begin with a heading`);
  const body = text
    .slice(heading[0].length)
    .replaceAll(/(\]\()([^)\s]+)(\))/g, rewriteLinks(dirname(name)))
    .replaceAll(/(?:^\|.*\n?)+/gm, '<div class="wide" tabindex="0">\n\n$&\n</div>\n');
  const fields = {
    title: plainText(heading[1]!),
    description: describe(body),
    editUrl: `${REPOSITORY}/edit/main/docs/${name}.md`,
    pagefind: !NOT_SEARCHED.includes(name),
  };
  const front = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  const file = join(PAGES, `${slug(name)}.md`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `---\n${front.join('')}---\n${body}`);
}

/** Links of a page in a folder of `docs`: to another page of the site, an image, or a file of the repository. */
function rewriteLinks(folder: string) {
  return (link: string, open: string, target: string, close: string): string => {
    if (/^(https?:|mailto:|#)/.test(target)) return link;
    const [path, anchor] = target.split('#') as [string, string?];
    const hash = anchor === undefined ? '' : `#${anchor}`;
    const file = join(folder, path);
    const page = /^([\w/-]+)\.md$/.exec(file)?.[1];
    if (page !== undefined && names.includes(page)) return `${open}/${slug(page)}/${hash}${close}`;
    if (/^(?:images\/[^/]+\.(png|svg)|schemas\/[^/]+\.json)$/.test(file)) return `${open}/${file}${close}`;
    return `${open}${REPOSITORY}/blob/main/${join('docs', file)}${hash}${close}`;
  };
}

/** The first sentences of a page, as far as they fit into a search result. */
function describe(body: string): string {
  const paragraph = plainText(/^(?![#`|<!\-\s])[\s\S]+?(?=\n\n|\n```|$)/m.exec(body)?.[0] ?? '');
  const sentences = paragraph.match(/[^.!?]+[.!?]+(?=\s|$)/g) ?? [paragraph];
  let text = '';
  for (const sentence of sentences)
    if (text === '' || (text + sentence).length <= MAX_DESCRIPTION) text += sentence;
    else break;
  return text.trim();
}

function plainText(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
