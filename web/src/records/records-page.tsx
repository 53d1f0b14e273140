import { useEffect, useEffectEvent, useState } from 'react';
import { parseFilter, withoutText } from '../../../src/viewer/browser.ts';
import type { RecordFilter, RunLine, RunPayload } from '../api.ts';
import { usePayload } from '../data/use-payload.ts';
import { Message, Waiting } from '../parts/message.tsx';
import { RunHeader } from '../parts/run-header.tsx';
import { useTitle } from '../parts/use-title.ts';
import { recordsOf, words } from '../parts/words.ts';
import { QuestionsPage } from '../questions/questions-page.tsx';
import { go, hrefOf } from '../router.ts';
import { Filters } from './filters.tsx';
import type { OpenRecord } from './open-record.ts';
import { RecordPanel } from './record-panel.tsx';
import { RecordsTable } from './records-table.tsx';
import { useRecordPages } from './use-record-pages.ts';
import { without } from './without.ts';

interface PageProps {
  readonly id: string;
  readonly query: URLSearchParams;
}

export function RecordsPage({ id, query }: PageProps) {
  const loaded = usePayload('runs/:id', { id }, ({ run }) => refreshMs(run));
  useTitle(loaded.state === 'loaded' ? `Records of ${loaded.value.run.model}` : 'Records');
  if (loaded.state !== 'loaded') return <Waiting of="this run" loaded={loaded} />;
  if (loaded.value.run.kind === 'questions') return <QuestionsPage id={id} open={query.get('answer')} />;
  const read = readFilter(query);
  if ('problem' in read) {
    return (
      <Message title="This address does not name a list of records" bad>
        <p>{read.problem}</p>
        <p>
          <a href={hrefOf(PATH, { id })}>List all records of the run</a>
        </p>
      </Message>
    );
  }
  return <Records payload={loaded.value} filter={read.filter} open={openRecord(query)} />;
}

const PATH = 'runs/:id/records';
const REFRESH_MS = 3000;

/** Records of a run that is being written keep coming. */
function refreshMs({ status }: RunLine): number | null {
  return status === 'running' ? REFRESH_MS : null;
}

/** The part of the address that is not a filter: which record is open, of which repeat, and its position in the list. */
const OPEN = ['record', 'of', 'at'];

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
  readonly open: OpenRecord | null;
}

/** Filter, order and open record are all in the address, so a reader can share the view. */
function Records({ payload, filter, open }: RecordsProps) {
  const { run } = payload;
  const hasStrata = payload.facets.stratum.some((value) => value !== 'none');
  const pages = useRecordPages(run.id, filter, refreshMs(run));
  const [asked, setAsked] = useState(false);
  // Hides what an export of the suite would leave out.
  const withheld = payload.hides_text && !asked ? withoutText(payload) : null;
  const show = (next: RecordFilter) => go(hrefOf(PATH, { id: run.id, ...next }), { replace: true });
  const openAt = async (index: number) => {
    const row = await pages.fetchRow(index);
    if (row !== undefined) go(recordHref(run.id, filter, row, index), { replace: open !== null });
  };
  const close = () => show(filter);
  const step = (by: number) => {
    const next = (open?.at ?? -1) + by;
    if (open !== null && next >= 0 && next < (pages.total ?? 0)) openAt(next);
  };
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || isField(event.target)) return;
    if (open === null) return;
    const action = {
      j: () => step(1),
      ArrowDown: () => step(1),
      k: () => step(-1),
      ArrowUp: () => step(-1),
      Escape: close,
    }[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => pressed(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  return (
    <div className="records-page">
      <RunHeader run={run} here={PATH} />
      <Filters payload={withheld?.run(payload) ?? payload} filter={filter} show={show} />
      <p className="count" role="status">
        {pages.total === null ? 'Loading records …' : recordsOf(pages.total)}
        {pages.total !== null && pages.total < run.n && (
          <span className="quiet"> of {run.n.toLocaleString('en')}</span>
        )}
      </p>
      {pages.error !== null ? (
        <Message title="Cannot list these records" bad>
          <p>{pages.error}</p>
          <p>
            <a href={hrefOf(PATH, { id: run.id })}>Clear the filter</a>
          </p>
        </Message>
      ) : pages.total === 0 ? (
        <p className="empty">
          No record matches. Remove a filter, or <a href={hrefOf(PATH, { id: run.id })}>clear all</a>.
        </p>
      ) : (
        <div className={open === null ? 'split' : 'split open'}>
          <RecordsTable
            pages={pages}
            stratumLabel={hasStrata ? words(payload.stratum.label) : null}
            visible={(row) => withheld?.line(row) ?? row}
            filter={filter}
            open={open}
            sortBy={(sort) => show(sort === null ? without(filter, 'sort') : { ...filter, sort })}
            hrefOf={(row, index) => recordHref(run.id, filter, row, index)}
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

function recordHref(
  run: string,
  filter: RecordFilter,
  row: { id: string; repeat: number },
  at: number,
): string {
  const of = row.repeat === 0 ? undefined : row.repeat;
  return hrefOf(PATH, { id: run, ...filter, record: row.id, of, at });
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, select, textarea');
}
