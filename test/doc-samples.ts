import { expect } from 'vitest';

/** A command of a page. */
export interface PageCommand {
  readonly args: readonly string[];
  /** What it ends with: 0, unless a comment on its line says otherwise (`# exit code 1`). */
  readonly code: number;
  /** What the page says that it prints: the `text` block right after the block of the command. */
  readonly sample?: string;
}

const FENCE = /^( *)```(\w*)\n([\s\S]*?)^ *```$/gm;
/** Also in YAML (`- run: npx krisis ...`) and behind another command. */
const COMMAND = /^\s*(?:- )?(?:run: )?(?:.*&& )?npx krisis (.*)$/;

/** The commands of a page in their order, from blocks of any kind and indentation. */
export function commandsOf(markdown: string): PageCommand[] {
  const blocks = [...markdown.matchAll(FENCE)].map(({ index, 0: whole, 2: language, 3: text }) => ({
    language: language!,
    text: text!,
    start: index,
    end: index + whole.length,
  }));
  return blocks.flatMap((block, i) => {
    // A job of a CI server with values of its own cannot run here.
    const lines = block.text.includes('${{')
      ? []
      : block.text.split('\n').filter((line) => COMMAND.test(line));
    const next = blocks[i + 1];
    const isSample =
      block.language === 'bash' &&
      next?.language === 'text' &&
      markdown.slice(block.end, next.start).trim() === '';
    return lines.map((line, k) => ({
      ...parsed(COMMAND.exec(line)![1]!),
      ...(isSample && k === lines.length - 1 ? { sample: next.text } : {}),
    }));
  });
}

function parsed(line: string): Pick<PageCommand, 'args' | 'code'> {
  const [, words, comment] = /^(.*?)(?:\s+#\s*(.*))?$/.exec(line)!;
  return {
    args: [...words!.matchAll(/'[^']*'|"[^"]*"|\S+/g)].map(([word]) => word.replaceAll(/^['"]|['"]$/g, '')),
    code: Number(/exit code (\d+)/.exec(comment ?? '')?.[1] ?? 0),
  };
}

/** What differs from one run of a command to the next. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?)?/g, 'DATE'],
  [/\b\d+(\.\d+)? (ms|s|min)\b/g, 'TIME'],
  [/_[0-9a-f]{8}(-\d+)?\.db/g, '_ID.db'],
  [/\b[0-9a-f]{16,64}\b/g, 'HASH'],
];

function masked(text: string): string[] {
  let rest = text;
  for (const [pattern, name] of VARYING) rest = rest.replaceAll(pattern, name);
  return rest.trimEnd().split('\n');
}

/** A sample is what a command prints; a line `...` stands for any lines. */
export function expectSample(printed: string, sample: string, command: string): void {
  const lines = masked(printed);
  let from = 0;
  let isFree = false;
  for (const line of masked(sample)) {
    if (line.trim() === '...') {
      isFree = true;
      continue;
    }
    const at = isFree ? lines.indexOf(line, from) : from;
    expect(lines[at], `${command} prints:\n${printed}`).toBe(line);
    from = at + 1;
    isFree = false;
  }
  if (!isFree) expect(lines.slice(from), `${command} prints more:\n${printed}`).toEqual([]);
}
