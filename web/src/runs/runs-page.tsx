import { useState } from 'react';
import type { RunLine, RunsPayload } from '../api.ts';
import { useSource } from '../data/source-context.ts';
import { usePayload } from '../data/use-payload.ts';
import { LedgerKey } from '../parts/ledger.tsx';
import { Message, Waiting } from '../parts/message.tsx';
import { useTitle } from '../parts/use-title.ts';
import { hrefOf } from '../router.ts';
import { RunsTable } from './runs-table.tsx';

const REFRESH_MS = 2000;
const IDLE_REFRESH_MS = 10_000;

/** All runs of a folder. While one is being written, the list refreshes often. */
export function RunsPage() {
  useTitle('Runs');
  const source = useSource();
  const loaded = usePayload('runs', {}, ({ runs }) =>
    runs.some(({ status }) => status === 'running') ? REFRESH_MS : IDLE_REFRESH_MS,
  );
  if (loaded.state !== 'loaded') return <Waiting of="the runs" loaded={loaded} />;
  return <Runs payload={loaded.value} notes={source.notes} />;
}

interface RunsProps {
  readonly payload: RunsPayload;
  readonly notes: readonly string[];
}

function Runs({ payload: { folder, runs, unreadable }, notes }: RunsProps) {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  if (runs.length === 0 && unreadable.length === 0) {
    return (
      <Message title="No runs yet">
        <p>
          There is no run file in <code>{folder}</code>. Create one with <code>krisis run</code> (it needs no
          API key); it appears here while it is being written.
        </p>
      </Message>
    );
  }
  const shown = runs.filter((run) => matches(run, search));
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  return (
    <>
      <div className="page-head">
        <h1>Runs</h1>
        <p className="under">
          {shown.length === runs.length ? runs.length : `${shown.length} of ${runs.length}`} in{' '}
          <code>{folder}</code>
        </p>
      </div>
      <div className="bar">
        <label>
          <span className="quiet">Filter</span>{' '}
          <input
            type="search"
            value={search}
            placeholder="suite, task, model, status"
            onChange={(event) => setSearch(event.target.value)}
          />
        </label>
        <ChosenRuns runs={runs} chosen={chosen} clear={() => setChosen([])} />
      </div>
      {shown.length === 0 ? (
        <p className="empty">No run matches “{search}”. Clear the filter to see all.</p>
      ) : (
        <>
          <LedgerKey ledgers={shown.map(({ ledger }) => ledger)} />
          <RunsTable runs={shown} chosen={chosen} toggle={toggle} />
        </>
      )}
      {notes.length > 0 && (
        <section className="notice" aria-labelledby="notes-title">
          <h2 id="notes-title">What this export leaves out</h2>
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </section>
      )}
      {unreadable.length > 0 && (
        <details className="panel">
          <summary>
            {unreadable.length} {unreadable.length === 1 ? 'file' : 'files'} could not be read
          </summary>
          <ul>
            {unreadable.map(({ path, error }) => (
              <li key={path}>
                <code>{path}</code>: {error}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface ChosenProps {
  readonly runs: readonly RunLine[];
  readonly chosen: readonly string[];
  readonly clear: () => void;
}

/** Links that compare the first chosen run with each of the others. */
function ChosenRuns({ runs, chosen, clear }: ChosenProps) {
  const found = chosen.flatMap((id) => runs.find((run) => run.id === id) ?? []);
  const [first, ...others] = found;
  if (first === undefined) return <p className="quiet hint">Tick two or more runs to compare them.</p>;
  return (
    <p className="hint" role="status">
      {others.length === 0
        ? `${first.model} chosen; tick another to compare.`
        : others.map((other) => (
            <a key={other.id} className="button" href={hrefOf('compare', { a: first.id, b: other.id })}>
              Compare {first.model} with {other.model}
            </a>
          ))}{' '}
      <button type="button" className="plain" onClick={clear}>
        Clear
      </button>
    </p>
  );
}

function matches(run: RunLine, search: string): boolean {
  const text = [run.suite, run.task, run.model, run.status, run.arm, run.id].join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
