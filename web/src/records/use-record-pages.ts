import { useCallback, useEffect, useRef, useState } from 'react';
import { addressOf } from '../../../src/viewer/browser.ts';
import type { RecordFilter, RecordLine } from '../api.ts';
import { useSource } from '../data/source-context.ts';

const PATH = 'runs/:id/records';
const PAGE = 200;

export interface RecordPages {
  /** Null until the first page has loaded. */
  readonly total: number | null;
  readonly error: string | null;
  rowAt(index: number): RecordLine | undefined;
  /** Loads the pages that are missing. */
  need(first: number, last: number): void;
  /** The row, loaded if necessary; undefined past the end. */
  fetchRow(index: number): Promise<RecordLine | undefined>;
}

interface Held {
  readonly key: string;
  readonly pages: Map<number, readonly RecordLine[]>;
  readonly asked: Map<number, Promise<void>>;
  total: number | null;
  error: string | null;
}

/** A list of any length, loaded in pages as the reader scrolls. Each filter has its own list. */
export function useRecordPages(id: string, filter: RecordFilter): RecordPages {
  const source = useSource();
  const key = addressOf(PATH, { id, ...filter });
  const held = useRef<Held>(emptyHeld(key));
  const [, setRound] = useState(0);
  if (held.current.key !== key) held.current = emptyHeld(key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the run and the filter
  const load = useCallback(
    (page: number): Promise<void> => {
      const list = held.current;
      const known = list.asked.get(page);
      if (known !== undefined) return known;
      const asked = source.get(PATH, { id, ...filter, offset: page * PAGE, limit: PAGE }).then(
        ({ total, rows }) => {
          list.total = total;
          list.pages.set(page, rows);
          setRound((round) => round + 1);
        },
        (error: unknown) => {
          list.error = error instanceof Error ? error.message : String(error);
          setRound((round) => round + 1);
        },
      );
      list.asked.set(page, asked);
      return asked;
    },
    [source, key],
  );
  useEffect(() => {
    load(0);
  }, [load]);
  const rowAt = (index: number) => held.current.pages.get(Math.floor(index / PAGE))?.[index % PAGE];
  return {
    total: held.current.total,
    error: held.current.error,
    rowAt,
    need: (first, last) => {
      for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page++) load(page);
    },
    fetchRow: async (index) => {
      await load(Math.floor(index / PAGE));
      return rowAt(index);
    },
  };
}

function emptyHeld(key: string): Held {
  return { key, pages: new Map(), asked: new Map(), total: null, error: null };
}
