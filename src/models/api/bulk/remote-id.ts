import { ownError } from '../../backend-error.ts';

const ID = /^[\w-]{1,256}$/;

/**
 * An id of a job or a file that may be part of an address. It was in a reply or in a run file, and a call with the key goes to that
 * address: an id such as `../models` would reach another one.
 */
export function checkedId(id: string, form: RegExp = ID): string {
  if (form.test(id)) return id;
  throw ownError(
    'bad_request',
    'the id of a bulk job or of one of its files has characters that no id has, so nothing is sent to its address',
  );
}

/** The id in a reply; null where there is none. */
export function idIn(value: unknown, form?: RegExp): string | null {
  const id = textIn(value);
  return id === null ? null : checkedId(id, form);
}

/** @throws BackendError where a reply has no id. */
export function expectId(id: string | null, what: string): string {
  if (id === null) throw ownError('malformed', `the provider returned no ${what}`);
  return id;
}

/** The text in a field of a reply; null where there is none. */
export function textIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The number in a field of a reply. Some providers write counts as strings. */
export function countIn(value: unknown): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}
