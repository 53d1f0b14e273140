import type { RecordFilter } from '../api.ts';

/** A filter as it stands in an address, which `parseFilter` reads: a key is repeated for each of its values. */
export function filterQuery(filter: RecordFilter): URLSearchParams {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(filter)) {
    if (value === undefined || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) query.append(key, String(one));
  }
  return query;
}
