import type { PartContext } from './entry-writer.ts';
import { UnexpectedCell } from './stored-cells.ts';
import { EVENTS } from './tables.ts';

/** What happens to a run. Each kind says what its `data` hold. */
export type RunEventKind =
  /** Fields of the manifest, as they are from now on. */
  | 'manifest'
  /** A session begins. */
  | 'started'
  | 'continued'
  | 'limit_changed'
  /** A round in which failed rows are asked again begins: `round`, the `last_call` before it, and `rows` by problem. */
  | 'asked_again'
  /** Frees what was set aside for unsettled calls up to `last_call`. */
  | 'budget_released'
  /** A session ends, with its `elapsed_seconds` and `waited_seconds`. */
  | 'judged'
  | 'finished'
  /** Everything so far is as the session left it: see `Seal`. */
  | 'sealed'
  /** Entries `first` to `last` were in the file before a session that signs it, and no seal of its key covered them. */
  | 'unsigned_entries'
  /** The run was put together from others: see `MergedPart`. */
  | 'merged';

/** Something that happened to a run. */
export interface RunEvent {
  /** Its place among all entries of the file. */
  readonly seq: number;
  /** Seconds since 1970. */
  readonly time: number;
  readonly kind: RunEventKind;
  readonly data: Readonly<Record<string, unknown>>;
}

const KEYS = ['time', 'kind', 'data'] as const;

/** What happened to a run, in order. Events are never changed or taken away. */
export class Events {
  readonly #context: PartContext;

  /** @internal */
  constructor(context: PartContext) {
    this.#context = context;
  }

  add(kind: RunEventKind, data: Readonly<Record<string, unknown>> = {}): void {
    this.#context.commits.alone(() => this.write(kind, data));
  }

  /** Writes an event inside a transaction. */
  write(kind: RunEventKind, data: Readonly<Record<string, unknown>>): void {
    this.#context.writer.insert(EVENTS, { time: Date.now() / 1000, kind, data });
  }

  /** All events, or those of one kind; changes of the manifest only where they are asked for. */
  read(kind?: RunEventKind): RunEvent[] {
    const { sql } = this.#context;
    const rows = sql.iterate(`SELECT seq, ${EVENTS.select('e', KEYS)} FROM events e ORDER BY seq`);
    const events: RunEvent[] = [];
    let last = 0;
    for (const row of rows)
      sql.reading(() => {
        const seq = Number(row.seq);
        // A damaged file may count its pages again and again. Every row is looked at here, since a query that leaves rows out would never end.
        if (seq <= last) throw new UnexpectedCell('the numbers of events do not rise');
        last = seq;
        if (kind === undefined ? row.kind !== 'manifest' : row.kind === kind)
          events.push({ seq, ...(EVENTS.decode(row, KEYS) as Omit<RunEvent, 'seq'>) });
      });
    return events;
  }
}
