import { type KeyboardEvent, type MouseEvent, memo, useEffect, useMemo, useRef, useState } from 'react';
import {
  type BoardLinks,
  type BoardMark,
  CASE_WORDS,
  type CaseKind,
  DECISION_WORDS,
  type DecisionClass,
  drawBoard,
  layOutBoard,
  markAt,
  placeMark,
  whole,
} from '../../../src/viewer/browser.ts';
import type { RecordLine } from '../api.ts';
import { useSource } from '../data/source-context.ts';
import { useWidth } from '../parts/use-width.ts';
import { buildHref, go } from '../router.ts';
import { type BoardData, classFilter, segmentFilter } from './board-figures.ts';

interface MarksProps {
  readonly data: BoardData;
  /** The run. */
  readonly id: string;
  readonly threshold: number | null;
}

type Placed = NonNullable<ReturnType<typeof placeMark>>;

/** A mark for every record. The line of a class leads to its records; the arrow keys step through its marks, and a mark opens its record. */
export function BoardMarks({ data, id, threshold }: MarksProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const source = useSource();
  const [marked, setMarked] = useState<Placed | null>(null);
  const [record, setRecord] = useState<RecordLine | null>(null);
  const layout = useMemo(
    () => (width === 0 ? null : layOutBoard(data.rows, threshold, width)),
    [data.rows, threshold, width],
  );
  const svg = useMemo(() => {
    if (layout === null) return '';
    const { chartTitle: title, description } = data;
    const drawn = { layout, title, description, isCompared: threshold !== null };
    return drawBoard(drawn, document, createLinks(id, threshold));
  }, [layout, data, id, threshold]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new drawing has other marks
  useEffect(() => setMarked(null), [layout]);

  const find = async (mark: BoardMark) => {
    const filter = segmentFilter(mark.kind, mark.class, mark.segment, threshold);
    if (filter === null) return null;
    const params = { id, ...filter, sort: 'harm', offset: mark.record, limit: 1 };
    const { rows } = await source.get('runs/:id/records', params);
    return rows[0] === undefined ? null : { filter, row: rows[0] };
  };
  const openMark = async (mark: BoardMark) => {
    const found = await find(mark);
    if (found === null) return;
    const { filter, row } = found;
    const of = row.repeat === 0 ? undefined : row.repeat;
    go(buildHref('runs/:id/records', { id, ...filter, record: row.id, of, at: mark.record }));
  };
  const step = (link: HTMLAnchorElement, by: number) => {
    const { kind, class: name } = link.dataset as { kind: CaseKind; class: DecisionClass };
    const isHere = marked?.kind === kind && marked.class === name;
    const next = layout && placeMark(layout, kind, name, isHere ? marked.place + by : 0);
    if (next === null) return;
    setMarked(next);
    setRecord(null);
    void find(next).then((found) => setRecord(found?.row ?? null));
  };
  const press = (event: KeyboardEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-class]');
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (link === null) return;
    if (by !== undefined) step(link, by);
    else if (event.key === 'Enter' && marked !== null && link.dataset.class === marked.class)
      void openMark(marked);
    else if (event.key === 'Escape' && marked !== null) setMarked(null);
    else return;
    event.preventDefault();
  };
  const pointed = (event: MouseEvent): BoardMark | null => {
    const found = box.current?.querySelector('svg')?.getBoundingClientRect();
    if (layout === null || found === undefined) return null;
    return markAt(layout, event.clientX - found.x, event.clientY - found.y);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links in the drawing are what is focused; the pointer reaches the same records through them
    <div
      ref={box}
      className="board-marks"
      onKeyDown={press}
      onClick={(event) => {
        const mark = pointed(event);
        if (mark !== null) void openMark(mark);
      }}
      onMouseMove={(event) => {
        const mark = pointed(event);
        const next =
          mark === null || layout === null ? null : placeMark(layout, mark.kind, mark.class, mark.place);
        if (next?.x === marked?.x && next?.y === marked?.y) return;
        setMarked(next);
        setRecord(null);
      }}
      onMouseLeave={() => setMarked(null)}
    >
      <Drawing svg={svg} />
      {marked !== null && (
        <>
          <span
            className="board-cursor"
            style={{ left: marked.x, top: marked.y, width: marked.pitch + 4, height: marked.pitch + 4 }}
          />
          <span
            className={marked.x > width / 2 ? 'board-hint left' : 'board-hint'}
            style={{ left: marked.x, top: marked.y + marked.pitch }}
          >
            {describeSegment(marked, record)}
          </span>
        </>
      )}
      <p className="unseen" aria-live="polite">
        {marked === null || record === null ? '' : describeSegment(marked, record)}
      </p>
    </div>
  );
}

/** Drawn again only where it changes, so that a link keeps the focus. */
const Drawing = memo(({ svg }: { svg: string }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: src/reports/charts escapes all text
  <div className="drawing" dangerouslySetInnerHTML={{ __html: svg }} />
));

function describeSegment({ kind, class: name, segment }: Placed, record: RecordLine | null): string {
  const words = `${DECISION_WORDS[name]} (${CASE_WORDS[kind]})`;
  const was = segment.isMoved ? `, ${DECISION_WORDS[segment.from]} without the threshold` : '';
  if (record === null) return `${words}${was}`;
  const confidence = record.confidence === null ? '' : `, confidence ${record.confidence}`;
  return `${record.id}: ${words}${was}${confidence}`;
}

function createLinks(id: string, threshold: number | null): BoardLinks {
  return (kind, found) => {
    const listed = classFilter(kind, found, threshold);
    if (listed === null) return null;
    const what = listed.isAdded ? `the ${whole(listed.n)} that the threshold adds` : 'them';
    return {
      href: buildHref('runs/:id/records', { id, ...listed.filter }),
      label: `${CASE_WORDS[kind]}. List ${what}`,
    };
  };
}
