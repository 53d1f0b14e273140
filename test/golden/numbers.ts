import { readFileSync, writeFileSync } from 'node:fs';

/** A line per run. */
const FILE = 'test/golden/numbers.jsonl';

/** The numbers of the outputs of one run. */
interface Outputs {
  /** By the path of keys. */
  json: Record<string, number | null>;
  /** Numbers with a decimal point and fractions, each once, sorted. */
  text: string[];
  md: string[];
  html: string[];
  page: string[];
}

export type Golden = Record<string, Outputs>;

/** Keys whose numbers differ from run to run, or say nothing about the scores. */
const VOLATILE =
  /second|_at$|latency|elapsed|duration|bytes|version|(^|_)id$|port|pid|started|ended|time$|^verification$/;

/** Every number under a key path; rows are left out, because their metrics are there. */
export function jsonNumbers(value: unknown): Record<string, number | null> {
  const numbers: Record<string, number | null> = {};
  collect(value, '', numbers);
  return numbers;
}

function collect(value: unknown, path: string, into: Record<string, number | null>): void {
  if (typeof value === 'number') into[path] = Number(value.toPrecision(12));
  if (value === null && /value$|interval/.test(path)) into[path] = null;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value))
    if (!VOLATILE.test(key) && key !== 'evaluation_results')
      collect(inner, path === '' ? key : `${path}.${key}`, into);
}

/** Numbers that a reader would compare: decimals and counts over counts. Seconds, dates, sizes and coordinates of charts are left out. */
export function shownNumbers(output: string): string[] {
  const text = output
    .replace(/<(svg|style|script)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, ' ')
    .replace(/[\d.]+ (s|ms|min|MB|kB|GB)\b/g, ' ')
    .replace(/.*records? (a|per) second.*/gi, ' ');
  const numbers = text.match(/(?<![\w.])\d+\.\d+(?:%| %)?(?![\w.]*\w)|(?<![\w./])\d+\/\d+(?![\w/])/g) ?? [];
  // One decimal: seconds in a table, whose unit is in its head.
  return [...new Set(numbers)].filter((number) => !/^\d+\.\d$/.test(number)).sort();
}

/** What differs between two sets of outputs, a line each. */
export function differences(before: Golden, after: Golden): string[] {
  const lines: string[] = [];
  for (const run of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [a, b] = [before[run], after[run]];
    if (a === undefined || b === undefined) {
      lines.push(`${run}: ${a === undefined ? 'new' : 'gone'}`);
      continue;
    }
    for (const path of new Set([...Object.keys(a.json), ...Object.keys(b.json)]))
      if (a.json[path] !== b.json[path])
        lines.push(`${run} json ${path}: ${a.json[path]} -> ${b.json[path]}`);
    for (const format of ['text', 'md', 'html', 'page'] as const) {
      for (const number of a[format])
        if (!b[format].includes(number)) lines.push(`${run} ${format}: ${number} is gone`);
      for (const number of b[format])
        if (!a[format].includes(number)) lines.push(`${run} ${format}: ${number} is new`);
    }
  }
  return lines;
}

export function readGolden(): Golden {
  const lines = readFileSync(FILE, 'utf8').trimEnd().split('\n');
  return Object.fromEntries(lines.map((line) => JSON.parse(line)));
}

export function writeGolden(golden: Golden): void {
  writeFileSync(
    FILE,
    Object.entries(golden)
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join(''),
  );
}
