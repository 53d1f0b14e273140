import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A share or a difference with its interval, as the commands give it. */
export interface Estimate {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/**
 * A page of a study: text written by people, with parts between markers that the study writes. Every number of these parts is noted under a key in `figures.json` beside the page: a second
 * implementation computes the same keys and compares the values.
 */
export class Page {
  readonly #folder: string;
  readonly #output: string;
  readonly #figures = new Map<string, number | string | null>();
  readonly #parts = new Map<string, string>();

  constructor(folder: string, output: string) {
    this.#folder = folder;
    this.#output = output;
    mkdirSync(output, { recursive: true });
  }

  /** Notes a number, and gives its text. */
  note(key: string, value: number | string | null, text: string): string {
    const known = this.#figures.get(key);
    if (known !== undefined && known !== value) throw new Error(`${key} is ${known} and ${value}`);
    this.#figures.set(key, value);
    return text;
  }

  count(key: string, value: number): string {
    return this.note(key, value, value.toLocaleString('en-US'));
  }

  /** `5.3 %` */
  share(key: string, value: number | null): string {
    return this.note(key, value, value === null ? '-' : `${(100 * value).toFixed(1)} %`);
  }

  /** `+3.6` points */
  points(key: string, value: number | null): string {
    return this.note(key, value, value === null ? '-' : signed(100 * value));
  }

  /** `0.72` */
  decimal(key: string, value: number | null): string {
    return this.note(key, value, value === null ? '-' : value.toFixed(2));
  }

  p(key: string, value: number): string {
    return this.note(key, value, value < 0.001 ? '< 0.001' : value.toFixed(3));
  }

  /** `3.0 to 9.2 %` */
  range(key: string, lower: number, upper: number): string {
    this.note(`${key}/lower`, lower, '');
    this.note(`${key}/upper`, upper, '');
    return `${(100 * lower).toFixed(1)} to ${(100 * upper).toFixed(1)} %`;
  }

  /** `-12.9 to -3.4` */
  pointsRange(key: string, lower: number, upper: number): string {
    this.note(`${key}/lower`, lower, '');
    this.note(`${key}/upper`, upper, '');
    return `${signed(100 * lower)} to ${signed(100 * upper)}`;
  }

  /** What stands between `<!-- begin: ID -->` and `<!-- end: ID -->`. */
  part(id: string, text: string): void {
    this.#parts.set(id, text.trim());
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.#output, file), text);
  }

  /** Writes the page and its numbers. */
  finish(): void {
    const source = join(this.#folder, 'README.md');
    let page = existsSync(source) ? readFileSync(source, 'utf8') : '';
    for (const [id, text] of this.#parts) {
      const [begin, end] = [`<!-- begin: ${id} -->`, `<!-- end: ${id} -->`];
      const [from, to] = [page.indexOf(begin), page.indexOf(end)];
      if (from < 0 || to < from)
        throw new Error(`${source} has no place for "${id}": write ${begin} and ${end}`);
      page = `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`;
    }
    this.write('README.md', page);
    const lines = [...this.#figures].map(
      ([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`,
    );
    this.write('figures.json', `{\n${lines.join(',\n')}\n}\n`);
  }
}

function signed(value: number): string {
  const text = value.toFixed(1);
  return Number(text) > 0 ? `+${text}` : Number(text) === 0 ? '0.0' : text;
}

/** A Markdown table; columns from the second on are aligned to the right. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(titles), line(titles.map((_, t) => (t === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

/** `a, b and c` */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
