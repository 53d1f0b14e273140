// biome-ignore-all lint/a11y/useSemanticElements: lines that are not visible are not in the page, which a table element cannot express
// biome-ignore-all lint/a11y/useFocusableInteractive: links and buttons in the cells are the controls
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the link in a line does the same by keyboard
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { decimals } from '../../../src/viewer/browser.ts';
import type { RecordFilter, RecordLine } from '../api.ts';
import { caseWords, Decision } from '../parts/decision.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { useNarrow } from '../parts/use-narrow.ts';
import { words } from '../parts/words.ts';
import { go } from '../router.ts';
import { buildGrid, COLUMNS, type ColumnKey, DEFAULT_SORT, type ShownColumns } from './columns.ts';
import type { OpenRecord } from './open-record.ts';
import type { RecordPages } from './use-record-pages.ts';

const ROW_HEIGHT = 34;
/** On a narrow screen a record has two lines. */
const NARROW_ROW_HEIGHT = 56;
/** The header stays visible above the first line. */
const HEAD_HEIGHT = 35;

interface TableProps {
  readonly pages: RecordPages;
  /** The word for the run's strata; null if it has none. */
  readonly stratumLabel: string | null;
  /** The row without what must be hidden. */
  readonly visible: (row: RecordLine) => RecordLine;
  readonly columns: ShownColumns;
  readonly filter: RecordFilter;
  readonly open: OpenRecord | null;
  readonly sortBy: (sort: string | null) => void;
  readonly buildRowHref: (row: RecordLine, index: number) => string;
}

/**
 * Only visible lines are in the page, so 100,000 scroll like a hundred. Roles make it a table: the element itself cannot express that lines are missing.
 */
export function RecordsTable(props: TableProps) {
  const { pages, stratumLabel, visible, columns, filter, open, sortBy, buildRowHref } = props;
  const box = useRef<HTMLDivElement>(null);
  const narrow = useNarrow();
  const virtualizer = useVirtualizer({
    count: pages.total ?? 0,
    getScrollElement: () => box.current,
    estimateSize: () => (narrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT),
    overscan: 12,
    scrollMargin: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: lines are measured again when their height changes
  useEffect(() => virtualizer.measure(), [narrow, virtualizer]);
  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0]?.index, items.at(-1)?.index];
  // biome-ignore lint/correctness/useExhaustiveDependencies: the visible lines or the list have changed
  useEffect(() => {
    if (first !== undefined && last !== undefined) pages.need(first, last);
  }, [first, last, pages.total]);
  const shown = (index: number) => {
    const row = pages.rowAt(index);
    return row && visible(row);
  };
  const at = open?.at ?? null;
  useEffect(() => {
    if (at !== null) virtualizer.scrollToIndex(at, { align: 'auto' });
  }, [at, virtualizer]);
  return (
    <div
      className="records"
      role="table"
      aria-label="Cases"
      aria-rowcount={(pages.total ?? 0) + 1}
      ref={box}
      style={{ '--columns': buildGrid(columns) } as React.CSSProperties}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
    >
      <div role="rowgroup" className="head">
        <div role="row" className="line" aria-rowindex={1}>
          {COLUMNS.filter(({ key }) => columns.own.includes(key)).map((column) => (
            <Head
              key={column.key}
              column={column}
              title={
                column.key === 'reasons' && stratumLabel !== null
                  ? `${column.title}, or ${stratumLabel}`
                  : column.title
              }
              sort={filter.sort ?? DEFAULT_SORT}
              sortBy={sortBy}
            />
          ))}
          {columns.metadata.map((key) => (
            <div key={key} role="columnheader" className="cell c-metadata">
              <OutsideText text={key} />
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className="all" style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => (
          <Line
            key={item.key}
            row={shown(item.index)}
            index={item.index}
            top={item.start - HEAD_HEIGHT}
            stratumLabel={stratumLabel}
            columns={columns}
            open={open}
            buildRowHref={buildRowHref}
          />
        ))}
      </div>
    </div>
  );
}

interface HeadProps {
  readonly column: (typeof COLUMNS)[number];
  readonly title: string;
  readonly sort: string;
  readonly sortBy: (sort: string | null) => void;
}

/** Clicks sort ascending, then descending, then by harm. */
function Head({ column: { key, sort: own }, title, sort, sortBy }: HeadProps) {
  const direction =
    own === null ? undefined : sort === own ? 'ascending' : sort === `-${own}` ? 'descending' : undefined;
  const next = direction === undefined ? own : direction === 'ascending' ? `-${own}` : null;
  return (
    <div role="columnheader" className={`cell c-${key}`} aria-sort={direction}>
      {own !== null ? (
        <button type="button" className="sort" onClick={() => sortBy(next)}>
          {title}
          <span aria-hidden="true">
            {direction === 'ascending' ? ' ↑' : direction === 'descending' ? ' ↓' : ''}
          </span>
        </button>
      ) : (
        title
      )}
    </div>
  );
}

interface LineProps {
  readonly row: RecordLine | undefined;
  readonly index: number;
  readonly top: number;
  readonly stratumLabel: string | null;
  readonly columns: ShownColumns;
  readonly open: OpenRecord | null;
  readonly buildRowHref: (row: RecordLine, index: number) => string;
}

/** The whole line opens its record; by keyboard the link in it does. */
function Line({ row, index, top, stratumLabel, columns, open, buildRowHref }: LineProps) {
  const isOpen = row !== undefined && open?.id === row.id && open.repeat === row.repeat;
  return (
    <div
      role="row"
      className={isOpen ? 'line here' : 'line'}
      aria-rowindex={index + 2}
      aria-selected={isOpen || undefined}
      style={{ transform: `translateY(${top}px)` }}
      onClick={row && ((event) => openUnlessSelecting(event, buildRowHref(row, index)))}
    >
      {row === undefined ? (
        <div role="cell" className="cell quiet">
          …
        </div>
      ) : (
        <>
          {buildCells(row, stratumLabel)
            .filter(([key]) => columns.own.includes(key))
            .map(([key, content]) => (
              <div key={key} role="cell" className={`cell c-${key}`}>
                {key === 'id' ? (
                  <a href={buildRowHref(row, index)} aria-current={isOpen || undefined} data-at={index}>
                    <Content content={content} />
                  </a>
                ) : (
                  <Content content={content} />
                )}
              </div>
            ))}
          {columns.metadata.map((key) => (
            <div key={key} role="cell" className="cell c-metadata">
              <MetadataValue value={row.metadata?.[key]} />
            </div>
          ))}
        </>
      )}
    </div>
  );
}

/** Text comes from the file. */
function Content({ content }: { content: React.ReactNode }) {
  return typeof content === 'string' ? <OutsideText text={content} /> : content;
}

/** A click on a link or a button has its own effect, and text that is being selected stays selected. */
function openUnlessSelecting(event: React.MouseEvent, href: string): void {
  if ((event.target as Element).closest('a, button') !== null) return;
  if (window.getSelection()?.isCollapsed === false) return;
  go(href);
}

function MetadataValue({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <span className="quiet">–</span>;
  return <OutsideText text={typeof value === 'string' ? value : JSON.stringify(value)} />;
}

function buildCells(
  row: RecordLine,
  stratumLabel: string | null,
): readonly (readonly [ColumnKey, React.ReactNode])[] {
  return [
    ['id', row.repeat === 0 ? row.id : `${row.id} (repeat ${row.repeat})`],
    ['decision', <Decision key="decision" name={row.decision_class} />],
    ['case', caseWords(row.case_kind)],
    ['label', row.label ?? '–'],
    ['prediction', row.prediction ?? '–'],
    ['confidence', row.confidence === null ? '–' : decimals(row.confidence)],
    ['urgent', row.urgent === null ? '–' : row.urgent ? 'yes' : 'no'],
    ['outcome', words(row.outcome)],
    [
      'reasons',
      row.reasons.map(words).join(', ') ||
        (row.stratum === null ? '' : `${stratumLabel ?? ''} ${row.stratum}`),
    ],
  ];
}
