import type { RecordFilter } from '../api.ts';

export function without<K extends keyof RecordFilter>(filter: RecordFilter, key: K): RecordFilter {
  const { [key]: _, ...rest } = filter;
  return rest;
}
