import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/**
 * `npm run size [-- FOLDER]`: how much code there is to read in `src` and `web`, without tests and `src/conformance`. The folder is another checkout; default: this one.
 *
 * - lines: lines with a token of the language, so neither blank lines nor comments; one of more than 120 columns counts twice.
 * - named types: interfaces and type aliases. inline types: type literals of three or more members that are not the body of an alias.
 * - forks: places that ask whether a task, run or suite is about text or labels, by `FORK`. Formats of output, parts of a model's message, types of columns and imports are not such places.
 */
const MAX_COLUMNS = 120;
const MIN_MEMBERS = 3;
const FORK =
  /(?:(?<!\b(?:format|type|labelIs|head) )[!=]==|case) '(?:text|labels|questions)'|\bis(?:Text|Question(?:Suite|Run)?)\b|\b(?:judging|rubric) [!=]== (?:null|undefined)/g;

const folder = process.argv[2] ?? '.';
const files = globSync(['src/**/*.{ts,tsx}', 'web/**/*.{ts,tsx}'], { cwd: folder }).filter(
  (path) => !/\.test(-d)?\.tsx?$|\.d\.ts$/.test(path) && !path.startsWith(join('src', 'conformance')),
);

const totals = { lines: 0, files: files.length, 'named types': 0, 'inline types': 0, forks: 0 };
for (const path of files) {
  const text = readFileSync(join(folder, path), 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lines = new Set<number>();
  visit(source, source, lines);
  const rows = text.split('\n');
  for (const line of lines) totals.lines += (rows[line]?.length ?? 0) > MAX_COLUMNS ? 2 : 1;
  for (const line of lines)
    if (!/^(?:im|ex)port /.test(rows[line] ?? '')) totals.forks += rows[line]?.match(FORK)?.length ?? 0;
}
for (const [name, n] of Object.entries(totals))
  console.log(`${name.padEnd(14)}${n.toLocaleString('en').padStart(8)}`);

function visit(node: ts.Node, source: ts.SourceFile, lines: Set<number>): void {
  if (ts.isJSDoc(node)) return;
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) totals['named types'] += 1;
  if (
    ts.isTypeLiteralNode(node) &&
    node.members.length >= MIN_MEMBERS &&
    !ts.isTypeAliasDeclaration(node.parent)
  )
    totals['inline types'] += 1;
  const children = node.getChildren(source);
  if (children.length > 0) {
    for (const child of children) visit(child, source, lines);
    return;
  }
  const start = node.getStart(source);
  if (start >= node.end) return;
  const first = source.getLineAndCharacterOfPosition(start).line;
  const last = source.getLineAndCharacterOfPosition(node.end).line;
  for (let line = first; line <= last; line += 1) lines.add(line);
}
