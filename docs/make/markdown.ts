/** What stands at the top of every page that is made from the code. */
export const NOTE = '<!-- Made by docs/generate.ts from the code. Change it there. -->';

/** The lines of a table; its cells are plain text, in which only `code` and [links](page.md) are marked. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`);
}

export function cell(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replaceAll(/`([^`]*)`/g, (code) => code.replaceAll('&lt;', '<'));
}

export function code(text: string): string {
  return `\`${text}\``;
}

export function sentence(text: string): string {
  const start = text[0]!.toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
