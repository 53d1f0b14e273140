// biome-ignore-all lint/a11y/noRedundantRoles: narrow screens show each line as a card, which makes browsers drop the table roles
import { type ReactNode, useState } from 'react';
import { whole } from '../../../src/viewer/browser.ts';
import type { RunLine } from '../api.ts';
import { LedgerBar } from '../parts/ledger.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { Badges } from '../parts/run-header.tsx';
import { Count, IntervalStrip, Ticks } from '../parts/score.tsx';
import {
  DASH,
  duration,
  levelText,
  moment,
  money,
  number,
  range,
  restsOn,
  scoreTitle,
  share,
  timeLeft,
} from '../parts/words.ts';
import { buildHref } from '../router.ts';
import { buildRunHref, RUN_KINDS } from '../run-kinds.ts';
import { runName } from './chosen-runs.tsx';

interface Column {
  readonly id: string;
  readonly title: string;
  /** What stands before the value on narrow screens. Default: what the style sheet says. */
  readonly label?: string;
  /** What its head shows besides the title. Default: nothing. */
  readonly head?: ReactNode;
  /** What the column is sorted by. Default: it is not. */
  readonly sortBy?: (run: RunLine) => string | number | null;
  readonly cell: (run: RunLine) => ReactNode;
}

/** The columns of the scores that lead: where a run lacks the first one of a title, the next one stands in for it. */
function leadingColumns(runs: readonly RunLine[]): Column[] {
  const scores = runs
    .flatMap(({ leading }) => leading)
    .flatMap(({ name, column }) => (column ? [{ name, ...column }] : []))
    .toSorted((a, b) => a.place - b.place);
  return [...Map.groupBy(scores, ({ title }) => title)].map(([title, [first]]) =>
    leadingColumn(title, first!.name),
  );
}

function leadingColumn(title: string, usual: string): Column {
  const scoreIn = ({ leading }: RunLine) =>
    leading.find(({ name }) => name === usual) ?? leading.find(({ column }) => column?.title === title);
  return {
    id: usual,
    title,
    label: title,
    sortBy: (run) => scoreIn(run)?.value ?? null,
    cell: (run) => {
      const score = scoreIn(run);
      if (score === undefined) return <span className="quiet">–</span>;
      return (
        <>
          <Count score={score} />
          {score.name !== usual && (
            <span className="quiet line">{scoreTitle(score.label).toLowerCase()}</span>
          )}
        </>
      );
    },
  };
}

const MODEL: Column = {
  id: 'model',
  title: 'model',
  sortBy: ({ model }) => model,
  cell: (run) => <Model run={run} />,
};

const OTHER_COLUMNS: readonly Column[] = [
  {
    id: 'headline',
    title: 'primary endpoint',
    sortBy: ({ headline }) => headline?.value ?? null,
    cell: (run) => <Headline run={run} />,
  },
  {
    id: 'interval',
    title: 'interval',
    head: <Ticks />,
    cell: ({ headline }) => headline && <IntervalStrip score={headline} />,
  },
  { id: 'ledger', title: 'how decisions turned out', cell: (run) => <LedgerBar of={run} /> },
  { id: 'n', title: 'n', sortBy: ({ n }) => n, cell: (run) => <Progress run={run} /> },
  {
    id: 'created_at',
    title: 'started',
    sortBy: (run) => run.created_at,
    cell: (run) => (
      <>
        {moment(run.created_at)
          .split(' ')
          .map((part) => (
            <span key={part} className="keep">
              {part}{' '}
            </span>
          ))}
        <span className="quiet line keep">
          {[duration(run.elapsed_seconds), run.cost_usd === null ? null : money(run.cost_usd)]
            .filter((part) => part !== null && part !== DASH)
            .join(', ')}
        </span>
      </>
    ),
  },
];

interface Order {
  readonly by: Column;
  readonly descending: boolean;
}

interface RunsTableProps {
  readonly runs: readonly RunLine[];
  readonly chosen: readonly string[];
  readonly toggle: (id: string) => void;
  readonly chooseTag: (tag: string) => void;
  /** Opens the notes of a run; null where they cannot be changed. */
  readonly edit: ((run: RunLine) => void) | null;
}

/** The runs by suite, both newest first. Sorting keeps the suites together. Roles are explicit: narrow screens show each line as a card, which makes browsers drop the table roles. */
export function RunsTable({ runs, chosen, toggle, chooseTag, edit }: RunsTableProps) {
  const [order, setOrder] = useState<Order | null>(null);
  const columns = [MODEL, ...leadingColumns(runs), ...OTHER_COLUMNS];
  const suites = Map.groupBy(sorted(runs, order), ({ suite }) => suite);
  // Runs are listed newest first: so are their suites.
  const names = [...new Set(runs.map(({ suite }) => suite))];
  return (
    <div className="scroll">
      <table className="runs" role="table">
        <caption className="unseen">Runs</caption>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col">
              <span className="unseen">compare</span>
            </th>
            {columns.map((column) => (
              <Head key={column.id} column={column} order={order} sort={setOrder} />
            ))}
          </tr>
        </thead>
        {names.map((suite) => {
          const rows = suites.get(suite) ?? [];
          return (
            <tbody key={suite} role="rowgroup">
              <SuiteHead suite={suite} runs={rows} nColumns={columns.length} />
              {rows.map((run) => (
                <tr key={run.id} role="row" className="run">
                  <td role="cell" className="tick">
                    <input
                      type="checkbox"
                      checked={chosen.includes(run.id)}
                      onChange={() => toggle(run.id)}
                      aria-label={`Compare ${run.model}, ${run.id}`}
                    />
                  </td>
                  {columns.map(({ id, label, cell }) => (
                    <td key={id} role="cell" className={id} data-label={label}>
                      {cell(run)}
                      {id === 'model' && <Faults run={run} />}
                      {id === 'model' && <Differing run={run} among={rows} />}
                      {id === 'model' && (
                        <Notes
                          run={run}
                          namesArm={listArms(rows).length > 1}
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

interface HeadProps {
  readonly column: Column;
  readonly order: Order | null;
  readonly sort: (order: Order | null) => void;
}

/** Clicks sort ascending, then descending, then as at first. */
function Head({ column, order, sort }: HeadProps) {
  const own = order?.by.id === column.id ? order : null;
  const next =
    own === null ? { by: column, descending: false } : own.descending ? null : { ...own, descending: true };
  return (
    <th
      scope="col"
      className={column.id}
      aria-sort={own === null ? undefined : own.descending ? 'descending' : 'ascending'}
    >
      {column.sortBy === undefined ? (
        column.title
      ) : (
        <button type="button" className="sort" onClick={() => sort(next)}>
          {column.title}
          <span aria-hidden="true">{own === null ? '' : own.descending ? ' ↓' : ' ↑'}</span>
        </button>
      )}
      {column.head}
    </th>
  );
}

function Model({ run }: { run: RunLine }) {
  return (
    <>
      <a className="strong" href={buildRunHref(run)}>
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

/** What the model did that can harm a patient or make it useless. */
function Faults({ run: { faults } }: { run: RunLine }) {
  if (faults.length === 0) return null;
  return (
    <ul className="run-faults">
      {faults.map((fault) => (
        <li key={fault}>
          <OutsideText text={fault} />
        </li>
      ))}
    </ul>
  );
}

interface SuiteProps {
  readonly suite: string;
  readonly runs: readonly RunLine[];
  readonly nColumns: number;
}

/** The line above the runs of a suite. */
function SuiteHead({ suite, runs, nColumns }: SuiteProps) {
  const tasks = [...new Set(runs.map(({ task }) => task))].filter(
    (task) => task !== null && !suite.endsWith(task),
  );
  const arms = listArms(runs);
  const [kind = null, ...others] = new Set(runs.map((run) => RUN_KINDS[run.kind].name));
  const nHashes = new Set(runs.map(({ suite_hash: hash }) => hash)).size;
  return (
    <tr role="row" className="suite">
      <th scope="rowgroup" colSpan={nColumns + 1}>
        <OutsideText text={suite} />
        <span className="quiet">
          {[
            ...tasks,
            arms.length === 1 && `arm ${arms[0]}`,
            others.length === 0 && kind,
            runs.length === 1 ? '1 run' : `${runs.length} runs`,
            nHashes > 1 && `${nHashes} versions of its cases`,
          ]
            .filter(Boolean)
            .map((part) => ` · ${part}`)}
        </span>{' '}
        <a href={buildHref('suites/:suite', { suite })}>Every run of this suite</a>
      </th>
    </tr>
  );
}

function listArms(runs: readonly RunLine[]): string[] {
  return [...new Set(runs.flatMap(({ arm }) => arm ?? []))];
}

/** More than these are on the page of differences. */
const MAX_DIFFERING = 5;

/** What sets a run apart from others of its model: its id, and the settings that are not the same in all. Then its conditions. */
function Differing({ run, among }: { run: RunLine; among: readonly RunLine[] }) {
  const others = among.filter(
    ({ model, id, settings }) => model === run.model && id !== run.id && Object.keys(settings).length > 0,
  );
  const differing = Object.entries(run.settings).filter(([name, value]) =>
    others.some(({ settings }) => settings[name] !== value),
  );
  const parts = differing
    .slice(0, MAX_DIFFERING)
    .map(([name, value]) => (name === 'cases' ? `${value} cases` : `${name} ${value}`));
  if (differing.length > MAX_DIFFERING) parts.push(`${differing.length - MAX_DIFFERING} more settings`);
  return (
    <>
      <span className="quiet line differing">
        <OutsideText text={[run.id.split('_').at(-1)!, ...parts].join(' · ')} />
      </span>
      {run.gates.map(({ gate, status }) => (
        <span key={gate} className="line small">
          <span
            className={status === 'pass' ? 'badge' : status === 'undecided' ? 'badge caution' : 'badge bad'}
          >
            {status === 'pass' ? 'passed' : status === 'undecided' ? 'undecided' : 'failed'}
          </span>{' '}
          <code>
            <OutsideText text={gate} />
          </code>
        </span>
      ))}
    </>
  );
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
    const why = status === 'running' ? 'when it is done' : RUN_KINDS[kind].noHeadline;
    return <span className="quiet">{why}</span>;
  }
  return (
    <>
      <strong>{number(headline.value)}</strong>{' '}
      {headline.interval !== null && (
        <span className="quiet keep">
          ({levelText(headline.interval.level)} {range(headline.interval)})
        </span>
      )}
      <span className="quiet line">
        {scoreTitle(headline.label)}, {restsOn(headline.n_successes, headline.n)}
      </span>
      {headline.bounds !== null && (
        <span className="quiet line">bounds with unscored cases {range(headline.bounds)}</span>
      )}
    </>
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

/** In the chosen order; otherwise, and where that says nothing, the newest first. */
function sorted(runs: readonly RunLine[], order: Order | null): RunLine[] {
  const newestFirst = runs.toSorted(
    (a, b) => compareTexts(b.created_at, a.created_at) || compareTexts(a.model, b.model),
  );
  const sortBy = order?.by.sortBy;
  if (order === null || sortBy === undefined) return newestFirst;
  const sign = order.descending ? -1 : 1;
  return newestFirst.toSorted((a, b) => sign * compareValues(sortBy(a), sortBy(b)));
}

/** Runs without a number come before the smallest. */
function compareValues(a: string | number | null, b: string | number | null): number {
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  const [first, second] = [Number(a ?? Number.NEGATIVE_INFINITY), Number(b ?? Number.NEGATIVE_INFINITY)];
  return first === second ? 0 : first < second ? -1 : 1;
}

function compareTexts(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
