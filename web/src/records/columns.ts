/** The columns of the list of records; metadata come after them. `sort` is what the address calls the order. */
export const COLUMNS = [
  { key: 'id', title: 'id', sort: 'id', width: 'minmax(150px, 1.5fr)' },
  { key: 'decision', title: 'decision', sort: 'harm', width: '272px' },
  { key: 'case', title: 'case', sort: null, width: '150px' },
  { key: 'label', title: 'truth', sort: 'label', width: 'minmax(60px, 1fr)' },
  { key: 'prediction', title: 'answer', sort: 'prediction', width: 'minmax(60px, 1fr)' },
  { key: 'confidence', title: 'confidence', sort: 'confidence', width: '116px' },
  { key: 'urgent', title: 'urgent', sort: null, width: '78px' },
  { key: 'outcome', title: 'reply', sort: 'outcome', width: '142px' },
  { key: 'reasons', title: 'reasons to defer', sort: null, width: 'minmax(90px, 1.5fr)' },
] as const;

export type ColumnKey = (typeof COLUMNS)[number]['key'];

/** Which columns a list has. */
export interface ShownColumns {
  /** Keys of `COLUMNS`, in their order. */
  readonly own: readonly ColumnKey[];
  /** Keys of metadata. */
  readonly metadata: readonly string[];
}

/** Beside an open record there is room for these only. */
const BESIDE: readonly ColumnKey[] = ['id', 'decision', 'label', 'prediction', 'confidence'];
/** The order of the list unless the address names another. */
export const DEFAULT_SORT = 'harm';

/** The columns without those that the address hides; the record itself always has one. */
export function shownColumns(
  hidden: readonly string[],
  metadata: readonly string[],
  hasOpenRecord: boolean,
): ShownColumns {
  const own = COLUMNS.map(({ key }) => key).filter((key) => key === 'id' || !hidden.includes(key));
  return hasOpenRecord ? { own: own.filter((key) => BESIDE.includes(key)), metadata: [] } : { own, metadata };
}

/** The columns as a grid of the style sheet. */
export function buildGrid({ own, metadata }: ShownColumns): string {
  const widths = COLUMNS.filter(({ key }) => own.includes(key)).map(({ width }) => width);
  return [...widths, ...metadata.map(() => 'minmax(90px, 1fr)')].join(' ');
}
