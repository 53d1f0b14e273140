import type { Chart } from '../charts/chart.ts';
import type {
  Block,
  Column,
  Fact,
  Figure,
  Inline,
  Layout,
  Part,
  Row,
  Section,
  SectionHead,
  Span,
  Table,
} from './document.ts';

export function paragraph(text: Inline, more: Part & { readonly tone?: 'lead' | 'small' } = {}): Block {
  return { kind: 'paragraph', text, ...more };
}

export function heading(text: string): Block {
  return { kind: 'heading', text };
}

export function section(head: SectionHead, blocks: readonly (Block | null | false)[]): Section {
  return { ...head, blocks: shown(blocks) };
}

/** Leaves out the blocks that do not apply. */
export function shown<T>(parts: readonly (T | null | false)[]): readonly T[] {
  return parts.flatMap((part) => (part === null || part === false ? [] : [part]));
}

export function figure(chart: Chart, caption: string, data: Table, isWide = false): Figure {
  return { kind: 'figure', chart, caption, data, isWide };
}

export function list(items: readonly Inline[]): Block {
  return { kind: 'list', items };
}

export function facts(caption: string, entries: readonly Fact[]): Block {
  return { kind: 'facts', caption, facts: entries };
}

/** Blocks that the reader unfolds. */
export function details(summary: string, blocks: readonly Block[], options: { isList?: true } = {}): Block {
  return { kind: 'details', summary, blocks, ...options };
}

/** Blocks beside each other where there is room. */
export function columns(layout: Layout, blocks: readonly Block[]): Block {
  return { kind: 'columns', layout, blocks };
}

/** A table; a column is its title alone where it holds neither numbers nor long text. */
export function table(
  caption: string,
  columns: readonly (Column | string)[],
  rows: readonly Row[] | Table['groups'],
  more: Omit<Table, 'kind' | 'caption' | 'columns' | 'groups'> = {},
): Table {
  return {
    kind: 'table',
    caption,
    columns: columns.map((column) => (typeof column === 'string' ? { title: column } : column)),
    groups: areGroups(rows) ? rows : [{ title: null, rows }],
    ...more,
  };
}

function areGroups(rows: readonly Row[] | Table['groups']): rows is Table['groups'] {
  return rows[0] !== undefined && 'rows' in rows[0];
}

export function numbers(...titles: readonly string[]): Column[] {
  return titles.map((title) => ({ title, kind: 'number' }));
}

export function texts(...titles: readonly string[]): Column[] {
  return titles.map((title) => ({ title, kind: 'text' }));
}

export const code = (text: string): Span => ({ text, as: 'code' });
export const strong = (text: string): Span => ({ text, as: 'strong' });
export const muted = (text: string): Span => ({ text, as: 'muted' });
export const record = (id: string): Span => ({ text: id, as: 'record' });
export const link = (text: string, to: string): Span => ({ text, as: 'link', to });
/** In HTML a new line. */
export const BREAK: Span = { text: '; ', as: 'break' };
