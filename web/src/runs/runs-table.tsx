// biome-ignore-all lint/a11y/noRedundantRoles: narrow screens show each line as a card, which makes browsers drop the table roles
import {
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import { whole } from '../../../src/viewer/browser.ts';
import type { RunLine } from '../api.ts';
import { LedgerBar } from '../parts/ledger.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { Badges } from '../parts/run-header.tsx';
import { IntervalStrip } from '../parts/score.tsx';
import { duration, levelText, moment, money, number, range, share, timeLeft } from '../parts/words.ts';
import { hrefOf } from '../router.ts';
import { runName } from './chosen-runs.tsx';

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });
const column = createColumnHelper<typeof features, RunLine>();

const columns = column.columns([
  column.accessor('model', {
    header: 'model',
    sortFn: byText,
    cell: ({ row }) => <Model run={row.original} />,
  }),
  column.accessor((run) => run.headline?.value ?? null, {
    id: 'headline',
    header: 'headline',
    sortFn: byNumber,
    cell: ({ row }) => <Headline run={row.original} />,
  }),
  column.accessor('ledger', {
    header: 'how rows ended',
    enableSorting: false,
    cell: ({ row }) => <LedgerBar ledger={row.original.ledger} n={row.original.n} />,
  }),
  column.accessor('n', { header: 'n', sortFn: byNumber, cell: ({ row }) => <Progress run={row.original} /> }),
  column.accessor('cost_usd', {
    header: 'cost',
    sortFn: byNumber,
    cell: ({ row }) => money(row.original.cost_usd),
  }),
  column.accessor('elapsed_seconds', {
    header: 'time',
    sortFn: byNumber,
    cell: ({ row }) => duration(row.original.elapsed_seconds),
  }),
  column.accessor('created_at', {
    header: 'started',
    sortFn: byText,
    cell: ({ row }) => <span className="keep">{moment(row.original.created_at)}</span>,
  }),
]);

interface RunsTableProps {
  readonly runs: readonly RunLine[];
  readonly chosen: readonly string[];
  readonly toggle: (id: string) => void;
  readonly chooseTag: (tag: string) => void;
  /** Opens the notes of a run; null where they cannot be changed. */
  readonly edit: ((run: RunLine) => void) | null;
}

/** The columns, the tick and the notes. */
const WIDTH = columns.length + 1;

/** The runs by suite, those with the newest run first, then by model. Sorting keeps the suites together. Roles are explicit: narrow screens show each line as a card, which makes browsers drop the table roles. */
export function RunsTable({ runs, chosen, toggle, chooseTag, edit }: RunsTableProps) {
  const table = useTable({
    features,
    columns,
    data: useMemo(() => byModel(runs), [runs]),
    getRowId: ({ id }) => id,
  });
  const suites = Map.groupBy(table.getRowModel().rows, ({ original }) => original.suite);
  // Runs are listed newest first: so are their suites.
  const names = [...new Set(runs.map(({ suite }) => suite))];
  return (
    <div className="scroll">
      <table className="runs" role="table">
        <caption className="unseen">Runs</caption>
        <thead role="rowgroup">
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} role="row">
              <th scope="col">
                <span className="unseen">compare</span>
              </th>
              {group.headers.map((header) => {
                const sorted = header.column.getIsSorted();
                return (
                  <th
                    key={header.id}
                    scope="col"
                    className={header.column.id}
                    aria-sort={sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : undefined}
                  >
                    {header.column.getCanSort() ? (
                      <button
                        type="button"
                        className="sort"
                        onClick={header.column.getToggleSortingHandler()}
                      >
                        <table.FlexRender header={header} />
                        <span aria-hidden="true">
                          {sorted === 'asc' ? ' ↑' : sorted === 'desc' ? ' ↓' : ''}
                        </span>
                      </button>
                    ) : (
                      <table.FlexRender header={header} />
                    )}
                  </th>
                );
              })}
            </tr>
          ))}
        </thead>
        {names.map((suite) => {
          const rows = suites.get(suite) ?? [];
          return (
            <tbody key={suite} role="rowgroup">
              <SuiteHead suite={suite} runs={rows.map(({ original }) => original)} />
              {rows.map((row) => (
                <tr key={row.id} role="row" className="run">
                  <td role="cell" className="tick">
                    <input
                      type="checkbox"
                      checked={chosen.includes(row.id)}
                      onChange={() => toggle(row.id)}
                      aria-label={`Compare ${row.original.model}, ${row.id}`}
                    />
                  </td>
                  {row.getAllCells().map((cell) => (
                    <td key={cell.id} role="cell" className={cell.column.id}>
                      <table.FlexRender cell={cell} />
                      {cell.column.id === 'model' && (
                        <Notes
                          run={row.original}
                          namesArm={armsOf(rows.map(({ original }) => original)).length > 1}
                          chooseTag={chooseTag}
                          edit={edit}
                        />
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          );
        })}
      </table>
    </div>
  );
}

function Model({ run }: { run: RunLine }) {
  const path = run.kind === 'questions' ? 'runs/:id/questions' : 'runs/:id';
  return (
    <>
      <a className="strong" href={hrefOf(path, { id: run.id })}>
        <OutsideText text={runName(run)} />
      </a>
      {run.notes.name !== null && (
        <span className="quiet line">
          <OutsideText text={run.model} />
        </span>
      )}
      <span className="line">
        <Badges run={run} />
        {run.notes.hidden && <span className="badge">hidden</span>}
      </span>
    </>
  );
}

interface SuiteProps {
  readonly suite: string;
  readonly runs: readonly RunLine[];
}

/** The line above the runs of a suite. */
function SuiteHead({ suite, runs }: SuiteProps) {
  const tasks = [...new Set(runs.map(({ task }) => task))].filter(
    (task) => task !== null && !suite.endsWith(task),
  );
  const arms = armsOf(runs);
  const isOpen = runs.every(({ kind }) => kind === 'questions');
  const nHashes = new Set(runs.map(({ suite_hash: hash }) => hash)).size;
  return (
    <tr role="row" className="suite">
      <th scope="rowgroup" colSpan={WIDTH}>
        <OutsideText text={suite} />
        <span className="quiet">
          {[
            ...tasks,
            arms.length === 1 && `arm ${arms[0]}`,
            isOpen && 'open questions',
            runs.length === 1 ? '1 run' : `${runs.length} runs`,
            nHashes > 1 && `${nHashes} versions of its records`,
          ]
            .filter(Boolean)
            .map((part) => ` · ${part}`)}
        </span>{' '}
        <a href={hrefOf('suites/:suite', { suite })}>All models, history</a>
      </th>
    </tr>
  );
}

function armsOf(runs: readonly RunLine[]): string[] {
  return [...new Set(runs.flatMap(({ arm }) => arm ?? []))];
}

interface NotesProps extends Pick<RunsTableProps, 'chooseTag' | 'edit'> {
  readonly run: RunLine;
  /** Whether the suite has runs of several arms here. */
  readonly namesArm: boolean;
}

/** A note longer than this is folded. */
const SHORT_NOTE = 90;

function Notes({ run, namesArm, chooseTag, edit }: NotesProps) {
  const { tags, note } = run.notes;
  return (
    <>
      {namesArm && run.arm !== null && <span className="quiet line">arm {run.arm}</span>}
      {tags.length > 0 && (
        <span className="run-tags">
          {tags.map((tag) => (
            <button key={tag} type="button" className="run-tag" onClick={() => chooseTag(tag)}>
              <OutsideText text={tag} />
            </button>
          ))}
        </span>
      )}
      {note !== null &&
        (note.length <= SHORT_NOTE && !note.includes('\n') ? (
          <span className="line run-note">
            <OutsideText text={note} />
          </span>
        ) : (
          <details className="line run-note">
            <summary>
              <OutsideText text={note.split('\n')[0]!.slice(0, SHORT_NOTE)} /> …
            </summary>
            <OutsideText text={note} />
          </details>
        ))}
      {edit !== null && (
        <button type="button" className="plain small" onClick={() => edit(run)}>
          Edit notes<span className="unseen"> on {run.id}</span>
        </button>
      )}
    </>
  );
}

function Headline({ run: { headline, status, kind } }: { run: RunLine }) {
  if (headline === null) {
    const why =
      status === 'running'
        ? 'when it is done'
        : kind === 'questions'
          ? 'by trait, in the run'
          : 'none stored';
    return <span className="quiet">{why}</span>;
  }
  return (
    <div className="headline-score">
      <div>
        <strong>{number(headline.value)}</strong>{' '}
        {headline.interval !== null && (
          <span className="quiet keep">
            ({levelText(headline.interval.level)} {range(headline.interval)})
          </span>
        )}
        <span className="quiet line">
          {headline.label}, n = {whole(headline.n)}
        </span>
      </div>
      <IntervalStrip score={headline} />
    </div>
  );
}

/** Rows without a usable answer that are no abstentions: `8 failed, 2 invalid`. */
function notUsable({ ledger }: RunLine): string {
  const sum = (is: (name: string) => boolean) =>
    Object.entries(ledger).reduce((total, [name, n]) => total + (is(name) ? n : 0), 0);
  const failed = sum((name) => name.startsWith('failed_'));
  const invalid = sum((name) => name === 'invalid' || name === 'refused');
  return [failed > 0 && `${whole(failed)} failed`, invalid > 0 && `${whole(invalid)} invalid`]
    .filter(Boolean)
    .join(', ');
}

function Progress({ run }: { run: RunLine }) {
  if (run.live === null && run.n_done >= run.n)
    return (
      <>
        {whole(run.n)}
        <span className="quiet line">{notUsable(run)}</span>
      </>
    );
  return (
    <>
      <span className="keep">
        {whole(run.n_done)} of {whole(run.n)}
      </span>
      <progress value={run.n_done} max={Math.max(1, run.n)} aria-label={`Progress of ${run.model}`} />
      <span className="quiet line">
        {share(run.n_done, run.n)}
        {run.live !== null &&
          `, ${run.live.in_flight} in flight, ${run.live.rate_limits} × 429${timeLeft(run.live)}`}
      </span>
      <span className="quiet line">{notUsable(run)}</span>
    </>
  );
}

/** By model, the newest first; equal numbers keep this order when the reader sorts. */
function byModel(runs: readonly RunLine[]): RunLine[] {
  return runs.toSorted(
    (a, b) =>
      a.model.localeCompare(b.model, 'en', { numeric: true }) ||
      b.created_at.localeCompare(a.created_at, 'en'),
  );
}

type Row = { getValue: <T>(id: string) => T };

function byText(a: Row, b: Row, id: string): number {
  return String(a.getValue(id)).localeCompare(String(b.getValue(id)), 'en', { numeric: true });
}

/** Sorts runs without a number before the smallest. */
function byNumber(a: Row, b: Row, id: string): number {
  const value = (row: Row) => row.getValue<number | null>(id) ?? Number.NEGATIVE_INFINITY;
  const [first, second] = [value(a), value(b)];
  return first === second ? 0 : first < second ? -1 : 1;
}
