import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { RecordFilter, RecordLine, RecordsPayload } from '../api.ts';
import { useSource } from '../data/source-context.ts';
import { buildQueryKey } from '../data/use-payload.ts';

const PATH = 'runs/:id/records';
const PAGE = 200;

export interface RecordPages {
  /** Null until the first page has loaded. */
  readonly total: number | null;
  readonly error: string | null;
  rowAt(index: number): RecordLine | undefined;
  /** Loads the pages with these rows. */
  need(first: number, last: number): void;
  /** The row, loaded if necessary; undefined past the end. */
  fetchRow(index: number): Promise<RecordLine | undefined>;
}

/**
 * A list of any length, loaded in pages as the reader scrolls. Each filter has its own list.
 *
 * @param refreshMs How often to load the visible pages again; null for never. An export never does.
 */
export function useRecordPages(id: string, filter: RecordFilter, refreshMs: number | null): RecordPages {
  const source = useSource();
  const client = useQueryClient();
  const [visible, setVisible] = useState({ first: 0, last: 0 });
  const buildQuery = (page: number) => {
    const params = { id, ...filter, offset: page * PAGE, limit: PAGE };
    return { queryKey: buildQueryKey(PATH, params), queryFn: () => source.get(PATH, params) };
  };
  // The first page always: it knows the length of the list while others load.
  const numbers = [
    ...new Set([0, ...Array.from({ length: visible.last - visible.first + 1 }, (_, i) => visible.first + i)]),
  ];
  const shown = useQueries({
    queries: numbers.map((page) => ({
      ...buildQuery(page),
      refetchInterval: source.live && refreshMs !== null ? refreshMs : (false as const),
    })),
  });
  const newest = shown.toSorted((a, b) => b.dataUpdatedAt - a.dataUpdatedAt)[0]?.data;
  const readPage = (page: number) =>
    shown[numbers.indexOf(page)]?.data ?? client.getQueryData<RecordsPayload>(buildQuery(page).queryKey);
  return {
    total: newest?.total ?? null,
    error: shown.find(({ data, error }) => data === undefined && error !== null)?.error?.message ?? null,
    rowAt: (index) => readPage(Math.floor(index / PAGE))?.rows[index % PAGE],
    need: useCallback((from, to) => {
      const [first, last] = [Math.floor(from / PAGE), Math.floor(to / PAGE)];
      setVisible((before) => (before.first === first && before.last === last ? before : { first, last }));
    }, []),
    fetchRow: async (index) => {
      const { rows } = await client.ensureQueryData(buildQuery(Math.floor(index / PAGE)));
      return rows[index % PAGE];
    },
  };
}
