import { useRef, useState } from 'react';
import type { RunLine, RunNotes, RunsPayload } from '../api.ts';
import { useSource } from '../data/source-context.ts';
import { usePayload } from '../data/use-payload.ts';
import { LedgerKey } from '../parts/ledger.tsx';
import { Message, Waiting } from '../parts/message.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { useTitle } from '../parts/use-title.ts';
import { buildHref, go } from '../router.ts';
import { ChosenRuns } from './chosen-runs.tsx';
import { RunsTable } from './runs-table.tsx';
import './runs.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Dialog } from '../parts/dialog.tsx';

const REFRESH_MS = 2000;
const IDLE_REFRESH_MS = 10_000;

/** All runs of a folder, by suite. While one is being written, the list refreshes often. The filter and the ticked runs are in the address: going back finds them. */
export function RunsPage({ query }: { query: URLSearchParams }) {
  useTitle('Runs');
  const source = useSource();
  const loaded = usePayload('runs', {}, ({ runs }) =>
    runs.some(({ status }) => status === 'running') ? REFRESH_MS : IDLE_REFRESH_MS,
  );
  if (loaded.state !== 'loaded') return <Waiting of="the runs" loaded={loaded} />;
  return <Runs payload={loaded.value} notes={source.notes} view={viewIn(query)} />;
}

interface RunsView extends RunsFilter {
  /** Ids of the runs that are ticked, in the order in which they were. */
  readonly chosen: readonly string[];
}

function viewIn(query: URLSearchParams): RunsView {
  return {
    text: query.get('q') ?? '',
    tags: query.getAll('tag'),
    suites: query.getAll('suite'),
    hidden: query.has('hidden'),
    chosen: query.getAll('chosen'),
  };
}

function show({ text, tags, suites, hidden, chosen }: RunsView): void {
  const params = {
    q: text || undefined,
    suite: suites,
    tag: tags,
    hidden: hidden ? 'shown' : undefined,
    chosen,
  };
  go(buildHref('', params), { replace: true });
}

interface RunsProps {
  readonly payload: RunsPayload;
  readonly notes: readonly string[];
  readonly view: RunsView;
}

function Runs({ payload: { folder, runs, unreadable, may_edit: mayEdit }, notes, view }: RunsProps) {
  const [edited, setEdited] = useState<RunLine | null>(null);
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
  const shown = filterRuns(runs, view);
  const toggle = (id: string) => {
    const { chosen } = view;
    show({ ...view, chosen: chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id] });
  };
  return (
    <>
      <div className="page-head">
        <h1>Runs</h1>
        <p className="under">
          {shown.length === runs.length ? runs.length : `${shown.length} of ${runs.length}`} in{' '}
          <code>{folder}</code>
        </p>
      </div>
      <FilterBar runs={runs} view={view} />
      <ChosenRuns runs={runs} chosen={view.chosen} clear={() => show({ ...view, chosen: [] })} />
      {shown.length === 0 ? (
        <p className="empty">
          No run matches.{' '}
          <button
            type="button"
            className="plain"
            onClick={() => show({ ...EVERYTHING, chosen: view.chosen })}
          >
            Show all
          </button>
        </p>
      ) : (
        <>
          <LedgerKey of={shown} />
          <RunsTable
            runs={shown}
            chosen={view.chosen}
            toggle={toggle}
            chooseTag={(tag) => show({ ...view, tags: [...new Set([...view.tags, tag])] })}
            edit={mayEdit ? setEdited : null}
          />
        </>
      )}
      {edited !== null && <NotesDialog key={edited.id} run={edited} close={() => setEdited(null)} />}
      <Asides notes={notes} unreadable={unreadable} />
    </>
  );
}

const EVERYTHING: RunsFilter = { text: '', tags: [], suites: [], hidden: true };

function FilterBar({ runs, view }: { runs: readonly RunLine[]; view: RunsView }) {
  const source = useSource();
  const tags = [...new Set([...listTags(runs), ...view.tags])];
  const nHidden = runs.filter((run) => run.notes.hidden).length;
  return (
    <div className="bar">
      <label>
        <span className="quiet">Filter</span>{' '}
        <input
          type="search"
          value={view.text}
          placeholder="suite, model, name, note"
          onChange={(event) => show({ ...view, text: event.target.value })}
        />
      </label>
      {tags.length > 0 && (
        <fieldset className="tag-filter">
          <legend className="unseen">Tags</legend>
          {tags.map((tag) => {
            const isOn = view.tags.includes(tag);
            const rest = view.tags.filter((other) => other !== tag);
            return (
              <button
                key={tag}
                type="button"
                className="run-tag"
                aria-pressed={isOn}
                onClick={() => show({ ...view, tags: isOn ? rest : [...rest, tag] })}
              >
                <OutsideText text={tag} />
              </button>
            );
          })}
        </fieldset>
      )}
      {source.live && <TextSearch />}
      <SuiteFilter runs={runs} view={view} />
      {nHidden > 0 && (
        <label>
          <input
            type="checkbox"
            checked={view.hidden}
            onChange={() => show({ ...view, hidden: !view.hidden })}
          />{' '}
          Hidden runs ({nHidden})
        </label>
      )}
    </div>
  );
}

/** Leads to the search in the text of all runs. */
function TextSearch() {
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') go(buildHref('search', { text }));
      }}
    >
      <label>
        <span className="quiet">Search cases</span>{' '}
        <input
          type="search"
          value={text}
          minLength={3}
          maxLength={200}
          placeholder="reply, feature, metadata"
          onChange={(event) => setText(event.target.value)}
        />
      </label>
    </form>
  );
}

/** The suites with their numbers of runs; none where there is one. */
function SuiteFilter({ runs, view }: { runs: readonly RunLine[]; view: RunsView }) {
  const listed = runs.filter((run) => view.hidden || !run.notes.hidden);
  const counts = [...Map.groupBy(listed, ({ suite }) => suite)];
  if (counts.length < 2) return null;
  return (
    <fieldset className="tag-filter">
      <legend className="unseen">Suites</legend>
      {counts.map(([suite, { length }]) => {
        const isOn = view.suites.includes(suite);
        const rest = view.suites.filter((other) => other !== suite);
        return (
          <button
            key={suite}
            type="button"
            className="run-tag"
            aria-pressed={isOn}
            onClick={() => show({ ...view, suites: isOn ? rest : [...rest, suite] })}
          >
            <OutsideText text={suite} /> {length}
          </button>
        );
      })}
    </fieldset>
  );
}

/** What an export leaves out, and files that are not runs. */
function Asides({ notes, unreadable }: Pick<RunsProps, 'notes'> & Pick<RunsPayload, 'unreadable'>) {
  return (
    <>
      {notes.length > 0 && (
        <section className="notice" aria-labelledby="notes-title">
          <h2 id="notes-title">What this export leaves out</h2>
          <ul>
            {notes.map((note) => (
              <li key={note}>
                <OutsideText text={note} />
              </li>
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
                <code>
                  <OutsideText text={path} />
                </code>
                : <OutsideText text={error} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface RunsFilter {
  /** Words that must all occur in what is known of a run. */
  readonly text: string;
  /** Tags that a run must have, all of them. */
  readonly tags: readonly string[];
  /** Suites to list. Empty: all. */
  readonly suites: readonly string[];
  /** Whether to list hidden runs, too. */
  readonly hidden: boolean;
}

function filterRuns(runs: readonly RunLine[], { text, tags, suites, hidden }: RunsFilter): RunLine[] {
  const words = text.toLowerCase().split(/\s+/);
  return runs.filter(
    (run) =>
      (hidden || !run.notes.hidden) &&
      (suites.length === 0 || suites.includes(run.suite)) &&
      tags.every((tag) => run.notes.tags.includes(tag)) &&
      words.every((word) => joinText(run).includes(word)),
  );
}

function joinText({ suite, task, model, status, arm, id, notes }: RunLine): string {
  return [suite, task, model, status, arm, id, notes.name, notes.note, ...notes.tags].join(' ').toLowerCase();
}

/** The tags of runs in alphabetical order. */
function listTags(runs: readonly RunLine[]): string[] {
  return [...new Set(runs.flatMap(({ notes }) => notes.tags))].sort((a, b) => a.localeCompare(b, 'en'));
}

/** Edits name, tags and note of a run, and whether lists show it. */
function NotesDialog({ run, close }: { run: RunLine; close: () => void }) {
  const { editNotes } = useSource();
  const client = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(run.notes.name ?? '');
  const [tags, setTags] = useState(run.notes.tags.join(', '));
  const [note, setNote] = useState(run.notes.note ?? '');
  const [hidden, setHidden] = useState(run.notes.hidden);
  const saving = useMutation({
    mutationFn: () => {
      if (editNotes === undefined) throw new Error('This page cannot change notes.');
      return editNotes(run.id, changed(run.notes, { name, note, tags: tagsIn(tags), hidden }));
    },
    onSuccess: async () => {
      await client.invalidateQueries();
      close();
    },
  });
  return (
    <Dialog open close={close} title={`Notes on ${run.id}`} focus={field}>
      <form
        className="notes-form"
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <label>
          Name
          <input
            ref={field}
            type="text"
            value={name}
            maxLength={200}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <label>
          Tags, separated by commas
          <input type="text" value={tags} onChange={(event) => setTags(event.target.value)} />
        </label>
        <label>
          Note
          <textarea
            rows={5}
            value={note}
            maxLength={10_000}
            onChange={(event) => setNote(event.target.value)}
          />
        </label>
        <label className="check">
          <input type="checkbox" checked={hidden} onChange={(event) => setHidden(event.target.checked)} />{' '}
          Hide this run from lists
        </label>
        {saving.isError && (
          <p className="notice" role="alert">
            Not saved: {saving.error.message}
          </p>
        )}
        <button type="submit" disabled={saving.isPending}>
          {saving.isPending ? 'Saving …' : 'Save'}
        </button>
      </form>
    </Dialog>
  );
}

/** Only what the reader changed: another page may have changed the rest meanwhile. */
function changed(before: RunNotes, next: RunNotes): Partial<RunNotes> {
  return {
    ...(next.name !== (before.name ?? '') && { name: next.name }),
    ...(next.note !== (before.note ?? '') && { note: next.note }),
    ...(next.tags.join('\n') !== before.tags.join('\n') && { tags: next.tags }),
    ...(next.hidden !== before.hidden && { hidden: next.hidden }),
  };
}

function tagsIn(typed: string): string[] {
  return typed
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
