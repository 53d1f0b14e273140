/** The columns of the list of records; metadata come after them. */
export const COLUMNS = [
  { key: 'id', title: 'record', sorts: true, width: 'minmax(180px, 1.6fr)' },
  { key: 'outcome', title: 'outcome', sorts: true, width: '172px' },
  { key: 'label', title: 'truth', sorts: true, width: 'minmax(60px, 1fr)' },
  { key: 'prediction', title: 'answer', sorts: true, width: 'minmax(60px, 1fr)' },
  { key: 'confidence', title: 'confidence', sorts: true, width: '136px' },
  { key: 'should', title: 'should', sorts: false, width: '84px' },
  { key: 'reasons', title: 'reasons to defer', sorts: false, width: 'minmax(90px, 1.8fr)' },
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
const BESIDE: readonly ColumnKey[] = ['id', 'outcome', 'label', 'prediction', 'confidence'];

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
export function gridOf({ own, metadata }: ShownColumns): string {
  const widths = COLUMNS.filter(({ key }) => own.includes(key)).map(({ width }) => width);
  return [...widths, ...metadata.map(() => 'minmax(90px, 1fr)')].join(' ');
}
