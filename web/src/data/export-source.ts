import {
  type ExportedSite,
  type ExportedValues,
  filterRecords,
  flipsOfFilter,
} from '../../../src/viewer/browser.ts';
import type { ComparePayload, RecordLine, RecordPayload } from '../api.ts';
import type { ComparisonObject } from '../compare/comparison.ts';
import { scriptData } from './script-data.ts';
import type { Source } from './source.ts';

/** Reads the files of an export. Lists are filtered here, as there is nobody to ask. */
export function exportSource(site: ExportedSite): Source {
  const load = scriptData();
  const lists = new Map<string, Promise<readonly RecordLine[]>>();
  const file = async <Kind extends keyof ExportedValues>(
    address: string,
    of: string,
  ): Promise<ExportedValues[Kind]> => {
    const path = Object.hasOwn(site.files, address) ? site.files[address] : undefined;
    if (path === undefined) throw new Error(`${of} is not part of this export.`);
    return load<ExportedValues[Kind]>(path);
  };
  const run = (id: string) => file<'run'>(`runs/${encodeURIComponent(id)}`, `The run ${id}`);
  const compare = (a: string, b: string) =>
    file<'compare'>(
      `compare?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`,
      'The comparison of these two runs',
    );
  const recordsOf = (id: string) => {
    const found = Object.hasOwn(site.records, id) ? site.records[id] : undefined;
    if (found === undefined) throw new Error(`The records of ${id} are not part of this export.`);
    return found;
  };
  const linesOf = (id: string) => {
    const known =
      lists.get(id) ??
      Promise.all(recordsOf(id).lines.map((path) => load<readonly RecordLine[]>(path))).then((parts) =>
        parts.flat(),
      );
    lists.set(id, known);
    return known;
  };
  return {
    live: false,
    notes: site.notes,
    runs: async () => site.runs,
    run,
    questions: (id) => file<'questions'>(`runs/${encodeURIComponent(id)}/questions`, `The answers of ${id}`),
    compare,
    records: async (id, filter) => {
      const flipped = filter.flips === undefined ? undefined : await flippedIds(id, filter.flips, compare);
      return filterRecords(await linesOf(id), filter, flipped);
    },
    record: async (id, record, repeat) => {
      const place = (await linesOf(id)).findIndex((line) => line.id === record && line.repeat === repeat);
      if (place < 0) throw new Error(`There is no record ${record} in this export.`);
      const { details, details_per_file: perFile } = recordsOf(id);
      const found = await load<readonly RecordPayload[]>(details[Math.floor(place / perFile)]!);
      return found[place % perFile]!;
    },
  };
}

/** The records on which this run (a) and another (b) part. */
async function flippedIds(
  id: string,
  flips: string,
  compare: (a: string, b: string) => Promise<ComparePayload>,
): Promise<Set<string>> {
  const wanted = flipsOfFilter(flips);
  if (wanted === null) throw new Error(`${flips} does not say which flips are meant.`);
  const { comparison } = await compare(id, wanted.run);
  const found = (comparison as ComparisonObject | null)?.comparisons[0]?.flips;
  const side = wanted.side === 'only_a' ? found?.only_baseline_right : found?.only_model_right;
  return new Set(side?.map((flip) => flip.id));
}
