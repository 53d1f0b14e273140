import { stripVTControlCharacters } from 'node:util';
import { displayWidth, wrap } from './wrap.ts';

/** A column narrower than this is not worth keeping. */
const MIN_TEXT = 20;

/** Breaks every line that is wider than `width`; what follows begins where its text began. Indented commands stay whole, to be copied. */
export function fitLines(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      if (displayWidth(line) <= width) return [line];
      const plain = stripVTControlCharacters(line);
      if (/^ +(?:npx )?krisis \S/.test(plain) && !/\S {2}/.test(plain)) return [line];
      return wrap(line, width, { hang: measureHang(plain, width) });
    })
    .join('\n');
}

/** `name  text` continues under the text, `! text` and `  text` under the text as well. */
function measureHang(line: string, width: number): number {
  const [lead] = /^ *(?:(?:!|-|\d+\.) )?/.exec(line)!;
  const [column] = /^ *\S(?:.*?\S)? {2,}(?=\S)/.exec(line) ?? [lead];
  return column.length <= width - MIN_TEXT ? column.length : lead.length;
}

/** Fits a help text: also joins the lines of a paragraph, which the source breaks anywhere, and breaks them at `width`. */
export function fitHelp(text: string, width: number): string {
  return fitLines(text.replace(/(?<=^\S.*)\n(?=\S)/gm, ' '), width);
}
