import type { Block, DocumentFormat, Inline, Part, Span, Table } from './document.ts';

/** How a format writes each kind of block. */
export type BlockWriter<T> = {
  readonly [Kind in Block['kind']]: (block: Extract<Block, { readonly kind: Kind }>) => T;
};

export function writeBlock<T>(block: Block, writer: BlockWriter<T>): T {
  return (writer[block.kind] as (block: Block) => T)(block);
}

/** The parts that a format shows. */
export function partsFor<T extends Part>(parts: readonly T[], format: DocumentFormat): readonly T[] {
  return parts.filter(({ except }) => !except?.includes(format));
}

/** A table as a format shows it: without the columns it leaves out, cut after the most rows. */
export function tableFor(whole: Table, format: DocumentFormat) {
  const shown = whole.columns.flatMap(({ except }, i) => (except?.includes(format) ? [] : [i]));
  let left = whole.most?.[format] ?? Number.POSITIVE_INFINITY;
  let nMore = 0;
  const groups = whole.groups.map(({ title, rows }) => {
    const kept = rows.slice(0, left);
    left -= kept.length;
    nMore += rows.length - kept.length;
    return { title, rows: kept.map((row) => shown.map((i) => row[i] ?? '')) };
  });
  return {
    columns: shown.map((i) => whole.columns[i]!),
    groups,
    /** How many rows there are beyond those shown, in words; null where all are shown. */
    more: nMore === 0 ? null : `and ${nMore} more: the JSON report has all of them`,
  };
}

/** Writes a line piece by piece. */
export function inlineText(inline: Inline, write: (piece: string | Span) => string): string {
  if (typeof inline === 'string' || 'as' in inline) return write(inline);
  return inline.map((part) => inlineText(part, write)).join('');
}
