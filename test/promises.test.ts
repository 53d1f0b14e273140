import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { SCENARIOS } from './torture/scenarios.ts';

/** docs/promises.md: tables whose rows are `| promise | test file | title |`, with file and title as code. */
const page = readFileSync('docs/promises.md', 'utf8');
const promises = [...page.matchAll(/^\| (.+?) \| `([^`]+\.test\.ts)` \| `(.+)` \|$/gm)].map(
  ([, promise, file, title]) => ({ promise: promise!, file: file!, title: title! }),
);

/** Calls that make a test, by the name of the function: `it.each(...)`, `browserTest`. A block of tests counts: all of it then keeps the promise. */
const TESTS = /^(?:it|test|describe|[a-z]+Test)$/;

/** The titles of all tests of a file and of its blocks, as they stand in the source. */
function readTitles(file: string): ReadonlySet<string> {
  const titles = new Set<string>();
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && TESTS.test(nameRoot(node.expression))) {
      const [title] = node.arguments;
      if (title && ts.isStringLiteralLike(title)) titles.add(title.text);
      else if (title && ts.isTemplateExpression(title)) titles.add(title.getText().slice(1, -1));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

/** The first name of `it.each([...])`. */
function nameRoot(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node) || ts.isTaggedTemplateExpression(node))
    return nameRoot(ts.isTaggedTemplateExpression(node) ? node.tag : node.expression);
  return '';
}

const titlesByFile = new Map<string, ReadonlySet<string>>();

function holdsTitle(file: string, title: string): boolean {
  if (!titlesByFile.has(file)) titlesByFile.set(file, readTitles(file));
  return titlesByFile.get(file)!.has(title);
}

describe('docs/promises.md', () => {
  it('lists promises', () => {
    expect(promises.length).toBeGreaterThan(40);
    expect(page.match(/^\|.*\.test\.ts`/gm)).toHaveLength(promises.length);
  });

  it.each(promises)('$promise: $file', ({ file, title }) => {
    expect(existsSync(file), file).toBe(true);
    expect(holdsTitle(file, title), `${file} has no test called "${title}"`).toBe(true);
  });

  it('has the summary of every torture scenario', () => {
    for (const { name } of SCENARIOS) expect(page).toContain(`| ${name} |`);
  });
});

describe('npm run torture', () => {
  it.each(SCENARIOS)('finds the tests of $name', ({ files }) => {
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });
});
