// biome-ignore-all lint/a11y/noRedundantRoles: narrow screens show each line as a card, which makes browsers drop the table roles
import {
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { whole } from '../../../src/viewer/browser.ts';
import type { RunLine } from '../api.ts';
import { LedgerBar } from '../parts/ledger.tsx';
import { Badges } from '../parts/run-header.tsx';
import { IntervalStrip } from '../parts/score.tsx';
import { duration, levelText, moment, money, number, range, share, timeLeft } from '../parts/words.ts';
import { hrefOf } from '../router.ts';

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });
const column = createColumnHelper<typeof features, RunLine>();

const columns = column.columns([
  column.accessor('model', {
    header: 'model',
    sortFn: byText,
    cell: ({ row }) => <Model run={row.original} />,
  }),
  column.accessor('suite', {
    header: 'suite and task',
    sortFn: byText,
    cell: ({ row }) => <Suite run={row.original} />,
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
}

/** Roles are explicit: narrow screens show each line as a card, which makes browsers drop the table roles. */
export function RunsTable({ runs, chosen, toggle }: RunsTableProps) {
  const table = useTable({
    features,
    columns,
    data: runs,
    getRowId: ({ id }) => id,
    initialState: { sorting: [{ id: 'created_at', desc: true }] },
  });
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
        <tbody role="rowgroup">
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id} role="row">
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
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Model({ run }: { run: RunLine }) {
  const path = run.kind === 'questions' ? 'runs/:id/questions' : 'runs/:id';
  return (
    <>
      <a className="strong" href={hrefOf(path, { id: run.id })}>
        {run.model}
      </a>
      <span className="line">
        <Badges run={run} />
      </span>
    </>
  );
}

function Suite({ run }: { run: RunLine }) {
  const details = [
    run.suite.endsWith(run.task ?? '') ? null : run.task,
    run.arm === null ? null : `arm ${run.arm}`,
  ];
  return (
    <>
      {run.suite}
      <span className="quiet line">
        {details.filter(Boolean).join(' · ') || (run.kind === 'questions' ? 'open questions' : '')}
      </span>
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
