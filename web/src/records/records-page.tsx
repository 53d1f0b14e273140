import { useRef, useState } from 'react';
import { parseFilter, withoutText } from '../../../src/viewer/browser.ts';
import type { RecordFilter, RecordLine, RunLine, RunPayload } from '../api.ts';
import { usePayload } from '../data/use-payload.ts';
import { Message, Waiting } from '../parts/message.tsx';
import { RunHeader } from '../parts/run-header.tsx';
import { useTitle } from '../parts/use-title.ts';
import { needsNotice, useVerification, Verification } from '../parts/verification.tsx';
import { formatCases, words } from '../parts/words.ts';
import { QuestionsPage } from '../questions/questions-page.tsx';
import { buildHref, go } from '../router.ts';
import { COLUMNS, DEFAULT_SORT, shownColumns } from './columns.ts';
import { Downloads } from './downloads.tsx';
import { Filters } from './filters.tsx';
import type { OpenRecord } from './open-record.ts';
import { RecordPanel } from './record-panel.tsx';
import { RecordsTable } from './records-table.tsx';
import { useRecordPages } from './use-record-pages.ts';
import { without } from './without.ts';
import './records.css';
import { OutsideText } from '../parts/outside-text.tsx';
import { Popover } from '../parts/popover.tsx';
import { useKeydown } from '../parts/use-keydown.ts';
import { useNarrow } from '../parts/use-narrow.ts';

interface PageProps {
  readonly id: string;
  readonly query: URLSearchParams;
}

export function RecordsPage({ id, query }: PageProps) {
  const loaded = usePayload('runs/:id', { id }, ({ run }) => refreshMs(run));
  useTitle(loaded.state === 'loaded' ? `Cases of ${loaded.value.run.model}` : 'Cases');
  if (loaded.state !== 'loaded') return <Waiting of="this run" loaded={loaded} />;
  if (loaded.value.run.kind === 'questions') return <QuestionsPage id={id} query={query} />;
  const read = readFilter(query);
  if ('problem' in read) {
    return (
      <Message title="This address does not name a list of cases" bad>
        <p>{read.problem}</p>
        <p>
          <a href={buildHref(PATH, { id })}>List all cases of the run</a>
        </p>
      </Message>
    );
  }
  return (
    <Records
      payload={loaded.value}
      filter={read.filter}
      hidden={query.getAll('hide')}
      open={openRecord(query)}
    />
  );
}

const PATH = 'runs/:id/records';
const REFRESH_MS = 3000;

/** Records of a run that is being written keep coming. */
function refreshMs({ status }: RunLine): number | null {
  return status === 'running' ? REFRESH_MS : null;
}

/** The part of the address that is not a filter: which record is open, of which repeat, its position in the list, and hidden columns. */
const OPEN = ['record', 'of', 'at', 'hide'];

/** Reports a filter that cannot be read: ignoring it would list records that the reader excluded. */
function readFilter(query: URLSearchParams): { filter: RecordFilter } | { problem: string } {
  try {
    return { filter: parseFilter(new URLSearchParams([...query].filter(([key]) => !OPEN.includes(key)))) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

interface RecordsProps {
  readonly payload: RunPayload;
  readonly filter: RecordFilter;
  /** Columns that the list leaves out. */
  readonly hidden: readonly string[];
  readonly open: OpenRecord | null;
}

/** Filter, order and open record are all in the address, so a reader can share the view. */
function Records({ payload, filter, hidden, open }: RecordsProps) {
  const { run } = payload;
  const verification = useVerification(run, payload.verification);
  const hasStrata = payload.facets.stratum.some((value) => value !== 'none');
  // By harm unless the reader asks for another order.
  const listed = { ...filter, sort: filter.sort ?? DEFAULT_SORT };
  const pages = useRecordPages(run.id, listed, refreshMs(run));
  const [asked, setAsked] = useState(false);
  // Hides what an export of the suite would leave out.
  const withheld = payload.hides_text && !asked ? withoutText(payload) : null;
  const hrefTo = (next: RecordFilter, more: object = {}) =>
    buildHref(PATH, { id: run.id, ...next, hide: hidden, ...more });
  const show = (next: RecordFilter) => go(hrefTo(next), { replace: true });
  const recordHref = (row: { readonly id: string; readonly repeat: number }, at: number) =>
    hrefTo(filter, { record: row.id, of: row.repeat === 0 ? undefined : row.repeat, at });
  const openAt = async (index: number) => {
    const row = await pages.fetchRow(index);
    if (row !== undefined) go(recordHref(row, index), { replace: open !== null });
  };
  const list = useRef<HTMLDivElement>(null);
  const close = () => {
    show(filter);
    // The panel goes away with the focus in it: the reader goes on at the record in the list.
    const line = list.current?.querySelector<HTMLElement>(`[data-at="${open?.at ?? -1}"]`);
    (line ?? list.current?.querySelector<HTMLElement>('.records'))?.focus({ preventScroll: true });
  };
  const step = (by: number) => {
    const next = (open?.at ?? -1) + by;
    if (next >= 0 && next < (pages.total ?? 0)) openAt(next);
  };
  useRecordKeys({ next: () => step(1), previous: () => step(-1), close: open === null ? null : close });
  const counted = usePayload('runs/:id/facets', { id: run.id, ...filter }, () => refreshMs(run), {
    keepPrevious: true,
  });
  const facets = counted.state === 'loaded' ? counted.value : null;
  const unshown = payload.emergency_rule === 'silence' ? [...hidden, 'urgent'] : hidden;
  const visible = (row: RecordLine) => withheld?.line(row) ?? row;
  return (
    <div className="records-page">
      <RunHeader run={run} here={PATH} />
      {needsNotice(verification, run) && <Verification mark={verification} />}
      <Filters
        payload={withheld?.run(payload) ?? payload}
        // What is hidden cannot be searched.
        facets={facets && withheld ? { ...facets, searchable: [] } : facets}
        filter={filter}
        show={show}
      />
      <div className="list-bar">
        <p className="count" role="status">
          {pages.total === null ? 'Loading cases …' : formatCases(pages.total)}
          {pages.total !== null && pages.total < run.n && (
            <span className="quiet"> of {run.n.toLocaleString('en')}</span>
          )}
        </p>
        <ColumnChoice
          filter={filter}
          metadata={withheld === null ? (facets?.columns ?? []) : []}
          hidden={hidden}
          show={(next) => {
            const { column: _, ...rest } = filter;
            const chosen = next.metadata.length === 0 ? rest : { ...rest, column: next.metadata };
            go(buildHref(PATH, { id: run.id, ...chosen, hide: next.hidden }), { replace: true });
          }}
        />
        {pages.total !== null && pages.total > 0 && (
          <Downloads
            id={run.id}
            filter={listed}
            total={pages.total}
            texts={withheld === null ? (facets?.searchable ?? []) : []}
            visible={visible}
          />
        )}
      </div>
      {pages.error !== null ? (
        <Message title="Cannot list these cases" bad>
          <p>{pages.error}</p>
          <p>
            <a href={buildHref(PATH, { id: run.id })}>Clear the filter</a>
          </p>
        </Message>
      ) : pages.total === 0 ? (
        <p className="empty">
          No case matches. Remove a filter, or <a href={buildHref(PATH, { id: run.id })}>clear all</a>.
        </p>
      ) : (
        <div className={open === null ? 'split' : 'split open'} ref={list}>
          <RecordsTable
            pages={pages}
            stratumLabel={hasStrata ? words(payload.stratum.label) : null}
            visible={visible}
            columns={shownColumns(unshown, withheld === null ? (filter.column ?? []) : [], open !== null)}
            filter={filter}
            open={open}
            sortBy={(sort) => show(sort === null ? without(filter, 'sort') : { ...filter, sort })}
            buildRowHref={recordHref}
          />
          {open !== null && (
            <RecordPanel
              payload={payload}
              withheld={withheld}
              ask={() => setAsked(true)}
              open={open}
              total={pages.total}
              step={step}
              close={close}
            />
          )}
        </div>
      )}
    </div>
  );
}

function openRecord(query: URLSearchParams): OpenRecord | null {
  const id = query.get('record');
  if (id === null) return null;
  const at = query.get('at');
  return { id, repeat: Number(query.get('of') ?? 0) || 0, at: at === null ? null : Number(at) || 0 };
}

interface ColumnChoiceProps {
  readonly filter: RecordFilter;
  /** Metadata keys that can be shown. */
  readonly metadata: readonly string[];
  readonly hidden: readonly string[];
  readonly show: (columns: {
    readonly hidden: readonly string[];
    readonly metadata: readonly string[];
  }) => void;
}

/** Which columns the list has. Narrow screens show every record as a card of its main facts. */
function ColumnChoice({ filter: { column: chosen = [] }, metadata, hidden, show }: ColumnChoiceProps) {
  const isNarrow = useNarrow();
  if (isNarrow) return null;
  const toggled = (list: readonly string[], key: string) =>
    list.includes(key) ? list.filter((other) => other !== key) : [...list, key];
  return (
    <Popover className="choice-button" label="Columns" title="Columns">
      <fieldset className="choices">
        <legend>Columns</legend>
        {COLUMNS.filter(({ key }) => key !== 'id').map(({ key, title }) => (
          <label key={key}>
            <input
              type="checkbox"
              checked={!hidden.includes(key)}
              onChange={() => show({ hidden: toggled(hidden, key), metadata: chosen })}
            />{' '}
            {title}
          </label>
        ))}
      </fieldset>
      {metadata.length > 0 && (
        <fieldset className="choices">
          <legend>Metadata</legend>
          {[...new Set([...metadata, ...chosen])].map((key) => (
            <label key={key}>
              <input
                type="checkbox"
                checked={chosen.includes(key)}
                onChange={() => show({ hidden, metadata: toggled(chosen, key) })}
              />{' '}
              <OutsideText text={key} />
            </label>
          ))}
        </fieldset>
      )}
    </Popover>
  );
}

interface KeyActions {
  readonly next: () => void;
  readonly previous: () => void;
  /** Null while no record is open. */
  readonly close: (() => void) | null;
}

/** Steps through records by keyboard: j, k, the arrows while a record is open, and Escape. Keys in fields, menus and dialogs keep their own meaning. */
function useRecordKeys({ next, previous, close }: KeyActions): void {
  useKeydown((event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (hasOwnKeys(event.target)) return;
    const isOpen = close !== null;
    const actions: Readonly<Record<string, (() => void) | undefined>> = {
      j: next,
      k: previous,
      ...(isOpen && { ArrowDown: next, ArrowUp: previous, Escape: close }),
    };
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}

function hasOwnKeys(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, select, textarea, .popup') !== null)
  );
}
