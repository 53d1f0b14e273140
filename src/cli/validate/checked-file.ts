import { KrisisError } from '../../core/errors.ts';

/** What `krisis check` found in a file. */
export interface CheckedFile {
  /** What the file is: `answers`, `table_suite`, `questions`, `rubric`, `config`, `run`, `table`, `data`. */
  readonly kind: string;
  /** What it holds, as sentences for a reader. */
  readonly text: readonly string[];
  readonly problems: readonly string[];
  /** How many problems there are, where not all of them were kept. */
  readonly nProblems?: number;
  /** More fields for programs. */
  readonly json: Readonly<Record<string, unknown>>;
}

/**
 * The problems that an error lists, one a line, below a line that ends in a colon where there is one. `n` is how many there are.
 *
 * @example
 * ```ts
 * problemsIn(new KrisisError('"a.csv" has 2 problems:\n  line 2: x\n  line 3: y')) // => { problems: ['"a.csv", line 2: x', '"a.csv", line 3: y'], n: 2 }
 * ```
 */
export function problemsIn(error: unknown): { problems: string[]; n: number } {
  if (!(error instanceof KrisisError)) throw error;
  const all = error.message.split('\n').map((line) => line.trim());
  const [heading] = all;
  const lines = all.length > 1 && heading!.endsWith(':') ? all.slice(1) : all;
  const [, file] = /^(".*") has /.exec(heading!) ?? [];
  const [, more] = /^and (\d+) more$/.exec(lines.at(-1)!) ?? [];
  const listed = more === undefined ? lines : lines.slice(0, -1);
  return {
    problems: listed.map((line) => (file === undefined ? line : `${file}, ${line}`)),
    n: listed.length + Number(more ?? 0),
  };
}

/** Checks a file of a known kind; an error becomes its problems. */
export async function attempt(
  kind: string,
  text: string,
  check: () => CheckedFile | Promise<CheckedFile>,
): Promise<CheckedFile> {
  try {
    return await check();
  } catch (error) {
    const { problems, n } = problemsIn(error);
    return { kind, problems, nProblems: n, text: [text], json: {} };
  }
}

/** A share in whole percent; what is neither none nor all is not rounded to it. */
export function formatPercent(n: number, total: number): string {
  if (n === 0 || n === total) return n === 0 ? '0 %' : '100 %';
  return `${Math.min(99, Math.max(1, Math.round((100 * n) / total)))} %`;
}

/** Names with their counts, the first few of them. */
export function countsText(
  counts: readonly { readonly name: string; readonly n: number }[],
  most = 8,
): string {
  const listed = counts.slice(0, most).map(({ name, n }) => `${name} (${n})`);
  return [...listed, ...(counts.length > most ? [`${counts.length - most} more`] : [])].join(', ');
}
