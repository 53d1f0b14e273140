// biome-ignore-all lint/a11y/useKeyWithClickEvents: the field has the focus and the keys of the list
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { usePayload } from '../data/use-payload.ts';
import { Dialog } from '../parts/dialog.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { useKeydown } from '../parts/use-keydown.ts';
import { buildHref, go } from '../router.ts';
import { buildRunHref, RUN_KINDS } from '../run-kinds.ts';
import './palette.css';
import type { RunLine } from '../api.ts';
import { moment } from '../parts/words.ts';
import { runName } from '../runs/chosen-runs.tsx';

const IS_MAC = /mac|iphone|ipad/i.test(navigator.platform);

/** A button, and Ctrl-K or Cmd-K, for a box that finds pages, suites, runs and records by a few letters. */
export function Palette({ page }: { page: readonly string[] }) {
  const [open, setOpen] = useState(false);
  useKeydown((event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    setOpen(!open);
  });
  return (
    <>
      <button
        type="button"
        className="palette-button"
        onClick={() => setOpen(true)}
        aria-keyshortcuts="Control+K Meta+K"
      >
        Go to <kbd>{IS_MAC ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      {open && <PaletteDialog page={page} close={() => setOpen(false)} />}
    </>
  );
}

interface DialogProps {
  /** The path of the current page: records of its run can be found. */
  readonly page: readonly string[];
  readonly close: () => void;
}

function PaletteDialog({ page, close }: DialogProps) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  const runs = usePayload('runs', {});
  const lines = runs.state === 'loaded' ? runs.value.runs : [];
  const here = page[0] === 'runs' ? lines.find(({ id }) => id === page[1]) : undefined;
  const records = useRecordsLike(here?.kind === 'labels' ? here.id : null, typed);
  const entries = entriesFor(lines, typed, here, records);
  const chosen = Math.min(at, entries.length - 1);
  const follow = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    close();
    go(entry.href);
  };
  const pressed = (event: KeyboardEvent) => {
    const action = {
      ArrowDown: () => setAt((chosen + 1) % entries.length),
      ArrowUp: () => setAt((chosen - 1 + entries.length) % entries.length),
      Enter: () => follow(entries[chosen]),
    }[event.key];
    if (action === undefined || entries.length === 0) return;
    event.preventDefault();
    action();
  };
  return (
    <Dialog open close={close} title="Go to" focus={field}>
      {/* The field keeps the focus; the arrows move through the list below it. */}
      <input
        ref={field}
        className="palette-input"
        role="combobox"
        aria-expanded={entries.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={chosen < 0 ? undefined : `${list}-${chosen}`}
        aria-label="Page, suite, run or case"
        placeholder="page, suite, run, tag, case id"
        value={typed}
        onKeyDown={pressed}
        onChange={({ target }) => {
          setTyped(target.value);
          setAt(0);
        }}
      />
      {entries.length === 0 && (
        <p className="quiet" role="status">
          Nothing matches.
        </p>
      )}
      <div id={list} role="listbox" aria-label="Places" className="palette-list">
        {entries.map((entry, i) => (
          <PaletteOption
            key={entry.href}
            id={`${list}-${i}`}
            entry={entry}
            isChosen={i === chosen}
            follow={() => follow(entry)}
          />
        ))}
      </div>
    </Dialog>
  );
}

interface OptionProps {
  readonly id: string;
  readonly entry: PaletteEntry;
  readonly isChosen: boolean;
  readonly follow: () => void;
}

function PaletteOption({ id, entry, isChosen, follow }: OptionProps) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) line.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <div
      ref={line}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className="item palette-item"
      data-highlighted={isChosen || undefined}
      onClick={follow}
    >
      <span>
        <OutsideText text={entry.title} />
      </span>
      <span className="quiet small">
        <OutsideText text={entry.about} />
      </span>
    </div>
  );
}

const MAX_RECORDS = 8;
/** Fewer letters would find almost every record. */
const MIN_LETTERS = 2;

/** Ids of records of a run that have these letters. */
function useRecordsLike(id: string | null, typed: string): readonly string[] {
  const wanted = id !== null && typed.trim().length >= MIN_LETTERS ? typed.trim() : null;
  const found = usePayload(
    'runs/:id/records',
    { id: id ?? '', text: wanted ?? '', limit: MAX_RECORDS },
    () => null,
    { keepPrevious: true, enabled: wanted !== null },
  );
  if (wanted === null || found.state !== 'loaded') return [];
  return [...new Set(found.value.rows.map((row) => row.id))];
}

/** A place to go to. */
interface PaletteEntry {
  readonly title: string;
  readonly about: string;
  readonly href: string;
}

/** More would not be read. */
const MAX_ENTRIES = 30;

/** The places whose words begin as typed: pages of the current run first, then its records, pages, suites and runs. */
function entriesFor(
  runs: readonly RunLine[],
  typed: string,
  here: RunLine | undefined,
  records: readonly string[],
): PaletteEntry[] {
  const words = typed.trim().toLowerCase().split(/\s+/);
  const others = runs.filter((run) => run !== here);
  const found = [...listPages(here), ...pages(), ...listSuites(runs), ...others.map(runEntry)].filter(
    ({ title, about }) => {
      const text = `${title} ${about}`.toLowerCase();
      return words.every((word) => text.includes(word));
    },
  );
  const ofRun = here === undefined ? [] : records.map((record) => recordEntry(here, record));
  return [...ofRun, ...found].slice(0, MAX_ENTRIES);
}

function pages(): PaletteEntry[] {
  return [
    { title: 'Runs', about: 'page', href: buildHref('') },
    { title: 'Compare', about: 'page', href: buildHref('compare') },
  ];
}

function listPages(run: RunLine | undefined): PaletteEntry[] {
  if (run === undefined) return [];
  const { id } = run;
  const about = `this run, ${runName(run)}`;
  const own = RUN_KINDS[run.kind].pages.map(([title, path]) => ({
    title,
    about,
    href: buildHref(path, { id }),
  }));
  return [...own, { title: 'Compare with …', about, href: buildHref('compare', { runs: [id, ''] }) }];
}

function listSuites(runs: readonly RunLine[]): PaletteEntry[] {
  return [...new Set(runs.map(({ suite }) => suite))].map((suite) => ({
    title: suite,
    about: 'suite: every run',
    href: buildHref('suites/:suite', { suite }),
  }));
}

function runEntry(run: RunLine): PaletteEntry {
  const about = [run.notes.name !== null && run.model, run.suite, moment(run.created_at), ...run.notes.tags];
  return {
    title: runName(run),
    about: `run: ${about.filter(Boolean).join(', ')}`,
    href: buildRunHref(run),
  };
}

function recordEntry({ id }: RunLine, record: string): PaletteEntry {
  return { title: record, about: 'case of this run', href: buildHref('runs/:id/records', { id, record }) };
}
