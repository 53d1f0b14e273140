import type { AddressPath, NotesChange, ParamsAt, PayloadAt, RunNotes } from '../api.ts';

/** Where the page's data come from: a server whose runs may still grow, or the files of an export. */
export interface Source {
  /** Whether loading again can give newer data. */
  readonly live: boolean;
  /** What an export leaves out, in sentences. */
  readonly notes: readonly string[];
  /** Changes notes on a run, and returns all of them. Undefined where the page cannot. */
  readonly editNotes?: (id: string, change: NotesChange) => Promise<RunNotes>;
  /** Whether there is a payload at an address: an export holds some only. */
  has<Path extends AddressPath>(path: Path, params: ParamsAt<Path>): boolean;
  /** The payload at an address of `src/viewer/addresses.ts`. */
  get<Path extends AddressPath>(path: Path, params: ParamsAt<Path>): Promise<PayloadAt<Path>>;
}
