import Table from 'cli-table3';
import pc from 'picocolors';

const SIDES = ['', '-mid', '-left', '-right'];
const BORDERS = ['top', 'bottom', 'left', 'mid', 'right'].flatMap((edge) => SIDES.map((side) => edge + side));

/** A cell aligned at the right. */
export function right(content: string) {
  return { content, hAlign: 'right' as const };
}

type Cell = string | ReturnType<typeof right>;

/** A table without lines: columns two blanks apart, a bold title over the first, no blanks at line ends. */
export function borderlessTable(
  title: string,
  head: readonly Cell[],
  rows: readonly (readonly Cell[])[],
): string {
  const chars = { ...Object.fromEntries(BORDERS.map((name) => [name, ''])), middle: '  ' };
  const table = new Table({
    chars,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
  });
  table.push([
    pc.bold(title),
    ...head.map((cell) => (typeof cell === 'string' ? pc.dim(cell) : right(pc.dim(cell.content)))),
  ]);
  for (const row of rows) table.push([...row]);
  return table.toString().replace(/ +$/gm, '');
}
