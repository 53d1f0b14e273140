import type { RubricItem } from '../../rubrics/traits/metric-trait.ts';
import type { VerifiedQuote } from '../../rubrics/verdict.ts';
import type { RecordFilter } from '../../store/queries/record-filter.ts';
import type { Chart } from '../charts/chart.ts';

/** The formats that are rendered from a document. JSON, CSV and JUnit are made from the result itself. */
export type DocumentFormat = 'text' | 'md' | 'html';

/** A part of a document that some formats leave out. */
export interface Part {
  /** Formats without this part. Default: all formats have it. */
  readonly except?: readonly DocumentFormat[] | undefined;
}

/** A report or a comparison before it is written in a format. */
export interface ReportDocument {
  readonly title: string;
  /** The first lines in a terminal, in place of the title. */
  readonly summary: readonly string[];
  readonly badges: readonly { readonly tone: 'caution' | 'bad' | 'plain'; readonly text: string }[];
  readonly facts: readonly Fact[];
  /** What comes before every number: a changed file, and what could harm a patient. Default: none. */
  readonly alerts?: readonly string[];
  /** What a reader must know before quoting a number. */
  readonly warnings: readonly string[];
  readonly sections: readonly Section[];
  /** What the document is not; HTML and Markdown end with it. */
  readonly footer: string;
}

export interface Section extends Part {
  /** Its anchor in HTML. */
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** Text in a line: plain, or a span with a meaning that a format may show. */
export type Inline = string | Span | readonly Inline[];

export interface Span {
  readonly text: string;
  /** `record`: the id of a record, which the page of a run leads to. */
  readonly as: 'code' | 'strong' | 'muted' | 'quote' | 'status' | 'link' | 'record' | 'break';
  /** What a link leads to behind the #: an anchor, or on the page of the viewer an address, which begins with a slash. */
  readonly to?: string;
  /** The record that the page of a run leads to in place of the anchor. */
  readonly record?: string;
}

export type Fact = readonly [name: Inline, value: Inline];
export type Row = readonly Inline[];

export interface Column extends Part {
  readonly title: string;
  /** Numbers are aligned at the right; text may wrap. */
  readonly kind?: 'number' | 'text';
  /** Whether a narrow terminal leaves the column out: another column says the same, or it matters less than the others. Default: false. */
  readonly isSpare?: boolean;
}

export interface Table extends Part {
  readonly kind: 'table';
  /** What the table holds, for readers who do not see the text around it. */
  readonly caption: string;
  /** Whether the caption is also printed. Default: no. */
  readonly showCaption?: boolean;
  readonly columns: readonly Column[];
  /** The first cell of a row is its heading. */
  readonly groups: readonly { readonly title: string | null; readonly rows: readonly Row[] }[];
  /** The most rows that a format shows; it then says how many more there are. Default: all. */
  readonly most?: Partial<Record<DocumentFormat, number>>;
  /** A class of the HTML table. */
  readonly layout?: 'wide' | 'wide named' | 'wide checklist';
}

/** Counts of two classifications. The number is always printed; the shade follows its share of the row. */
export interface Matrix extends Part {
  readonly kind: 'matrix';
  readonly caption: string;
  readonly label: string;
  readonly columns: readonly string[];
  /** The first column that does not hold answers; it is set apart. */
  readonly firstApart: number;
  readonly rows: readonly {
    readonly title: string;
    readonly counts: readonly number[];
    /** The column that is right; -1 where none is. */
    readonly right: number;
    /** The records of each count, for the page; null where they cannot be listed. Default: none can. */
    readonly links?: readonly (RecordFilter | null)[];
  }[];
}

export interface Figure extends Part {
  readonly kind: 'figure';
  readonly chart: Chart;
  readonly caption: string;
  /** The same data to read and to copy. */
  readonly data: Table;
  /** For a chart without words: its parts with their colours, shown in place of the table. */
  readonly legend?: readonly (Readonly<Record<'name' | 'count' | 'share' | 'color', string>> & {
    /** The records of the part, which the page lists. Default: no link. */
    readonly filter?: RecordFilter;
  })[];
  /** Sets the caption beside the chart where there is room. */
  readonly isWide?: boolean;
}

/** A number that leads, and everything that must be read beside it. */
export interface Card {
  readonly metric: string;
  readonly title: string;
  /** A count for a share, a number for anything else. */
  readonly value: string;
  readonly isPrimary: boolean;
  /** Which direction is better; null where neither is. */
  readonly better: 'higher' | 'lower' | null;
  /** What the number calls for. `harm`: harms above zero. `worse`: no harm, but worse than the suite's guideline. */
  readonly state: 'harm' | 'worse' | null;
  /** Interval, n, bounds, the noise floor, what the number says. */
  readonly lines: readonly string[];
  /** What is drawn on a scale from 0 to 1; null for a number on another scale. Up to `noise` a value may be chance alone; null where that is not known. */
  readonly strip: Readonly<Record<'value' | 'lower' | 'upper', number> & { noise: number | null }> | null;
  /** What needs no model: constant policies, then the baselines of the suite. */
  readonly beside: readonly { readonly name: string; readonly value: number }[];
}

/** An answer with the quotes of the judge marked in it, and each instruction with its verdict. */
export interface Evidence extends Part {
  readonly kind: 'evidence';
  readonly id: string;
  readonly name: string;
  readonly state: string;
  /** Null where the data are protected. */
  readonly question: string | null;
  readonly answer: string | null;
  readonly items: readonly EvidenceItem[];
  readonly traits: readonly EvidenceTrait[];
}

/** A trait with one value, and why the judge gave it. */
interface EvidenceTrait extends Readonly<Record<'name' | 'source' | 'value', string>> {
  readonly explanation: string | null;
  readonly quotes: readonly VerifiedQuote[];
}

export interface EvidenceItem extends Pick<RubricItem, 'traitName' | 'kind' | 'instruction'> {
  readonly class: string;
  readonly quotes: readonly VerifiedQuote[];
  /** From 1, through all traits of the answer. */
  readonly number: number;
  /** The class in words, with what it means for the score. */
  readonly verdict: string;
  readonly effect: 'for' | 'against' | 'open';
}

/** How blocks are set beside each other. */
export type Layout = 'charts' | 'stack' | 'beside';

export type Block =
  | ({ readonly kind: 'heading'; readonly text: string } & Part)
  | ({ readonly kind: 'paragraph'; readonly text: Inline; readonly tone?: 'lead' | 'small' } & Part)
  | ({ readonly kind: 'list'; readonly items: readonly Inline[] } & Part)
  | ({ readonly kind: 'facts'; readonly caption: string; readonly facts: readonly Fact[] } & Part)
  | ({ readonly kind: 'code'; readonly text: string } & Part)
  | ({ readonly kind: 'cards'; readonly cards: readonly Card[] } & Part)
  | ({
      readonly kind: 'details';
      readonly summary: string;
      readonly blocks: readonly Block[];
      /** Whether it lists single cases, which nobody reads on paper. */
      readonly isList?: true;
    } & Part)
  | ({ readonly kind: 'columns'; readonly layout: Layout; readonly blocks: readonly Block[] } & Part)
  | Table
  | Matrix
  | Figure
  | Evidence;

/** A section without its blocks. */
export type SectionHead = Omit<Section, 'blocks'>;
