import {
  buildAddress,
  countFacets,
  type ExportedSite,
  filterRecords,
  flipsOfFilter,
} from '../../../src/viewer/browser.ts';
import type { AddressPath, ParamsAt, PayloadAt, RecordLine, RecordPayload, RecordsPayload } from '../api.ts';
import { findOrder } from './find-order.ts';
import type { Source } from './source.ts';

type Get<Path extends AddressPath> = (params: ParamsAt<Path>) => Promise<PayloadAt<Path>>;

/** Reads the files of an export. The page filters lists itself, since there is no server. */
export function exportSource(site: ExportedSite): Source {
  const load = scriptData();
  const lists = new Map<string, Promise<readonly RecordLine[]>>();
  const file = async <Path extends AddressPath>(path: Path, params: ParamsAt<Path>) => {
    const address = buildAddress(path, params);
    const found = Object.hasOwn(site.files, address) ? site.files[address] : undefined;
    if (found === undefined) throw new Error(`${decodeURIComponent(address)} is not part of this export.`);
    return load<PayloadAt<Path>>(found);
  };
  const has = <Path extends AddressPath>(path: Path, params: ParamsAt<Path>) =>
    path in computed || Object.hasOwn(site.files, buildAddress(path, params));
  const findRecords = (id: string) => {
    const found = Object.hasOwn(site.records, id) ? site.records[id] : undefined;
    if (found === undefined) throw new Error(`The cases of ${id} are not part of this export.`);
    return found;
  };
  const loadLines = (id: string) => {
    const known =
      lists.get(id) ??
      Promise.all(findRecords(id).lines.map((path) => load<readonly RecordLine[]>(path))).then((parts) =>
        parts.flat(),
      );
    lists.set(id, known);
    return known;
  };
  /** The records that only one of two runs has right, from their comparison. */
  const flippedIds = async (id: string, flips: string): Promise<Set<string>> => {
    const wanted = flipsOfFilter(flips);
    if (wanted === null) throw new Error(`${flips} does not name a side of a comparison.`);
    const own = [id, wanted.run];
    const runs = findOrder(own, has) ?? own;
    const { flips: found } = await file('compare', { runs });
    const other = wanted.side === 'only_a' ? 'only_b' : 'only_a';
    return new Set(found[0]?.[runs[0] === id ? wanted.side : other]);
  };
  const records: Get<'runs/:id/records'> = async ({ id, ...filter }): Promise<RecordsPayload> => {
    const flipped = filter.flips === undefined ? undefined : await flippedIds(id, filter.flips);
    return { ...filterRecords(await loadLines(id), filter, flipped), version: '' };
  };
  const facets: Get<'runs/:id/facets'> = async ({ id, ...filter }) => {
    const flipped = filter.flips === undefined ? undefined : await flippedIds(id, filter.flips);
    // Replies, features and metadata are in files of their own, which a search does not load.
    return { ...countFacets(await loadLines(id), filter, flipped), columns: [], searchable: [] };
  };
  const record: Get<'runs/:id/records/:record'> = async ({ id, record: wanted, repeat }) => {
    const place = (await loadLines(id)).findIndex((line) => line.id === wanted && line.repeat === repeat);
    if (place < 0) throw new Error(`There is no case ${wanted} in this export.`);
    const { details, details_per_file: perFile } = findRecords(id);
    const found = await load<readonly RecordPayload[]>(details[Math.floor(place / perFile)]!);
    return found[place % perFile]!;
  };
  /** Addresses without a file of their own. */
  const computed: { readonly [Path in AddressPath]?: Get<Path> } = {
    runs: async () => site.runs,
    'runs/:id/records': records,
    'runs/:id/records/:record': record,
    'runs/:id/facets': facets,
  };
  return {
    live: false,
    notes: site.notes,
    has,
    get: <Path extends AddressPath>(path: Path, params: ParamsAt<Path>) =>
      (computed[path] as Get<Path> | undefined)?.(params) ?? file(path, params),
  };
}

declare global {
  interface Window {
    /** The values in an export's files by path; undefined if a server served the page. */
    krisisExport?: Readonly<Record<string, unknown>> & { readonly site: ExportedSite };
  }
}

/** Loads files of an export, each once. Pages opened from disk can load scripts but cannot fetch. */
function scriptData(): <T>(path: string) => Promise<T> {
  const asked = new Map<string, Promise<unknown>>();
  return <T>(path: string) => {
    const known = asked.get(path) ?? arrival(path);
    asked.set(path, known);
    return known as Promise<T>;
  };
}

function arrival(path: string): Promise<unknown> {
  return new Promise((found, failed) => {
    const script = document.createElement('script');
    const missing = () =>
      failed(
        new Error(`${path} is not part of this export. Is its folder complete? Otherwise export again.`),
      );
    script.src = path;
    script.onload = () =>
      Object.hasOwn(window.krisisExport ?? {}, path) ? found(window.krisisExport![path]) : missing();
    script.onerror = missing;
    document.head.append(script);
  });
}
