import { ownError } from '../../backend-error.ts';
import { text } from './json.ts';

const ID = /^[\w-]{1,256}$/;
const GOOGLE_NAME = /^(?:batches|files)\/[\w-]{1,256}$/;

/**
 * An id of a job or a file that may be part of an address. It was in a reply or in a run file, and a call with the key goes to that
 * address: an id such as `../models` would reach another one.
 */
export function checkedId(id: string): string {
  return checked(id, ID);
}

/** The same at Google, where ids are paths. */
export function checkedName(name: string): string {
  return checked(name, GOOGLE_NAME);
}

/** The id in a reply; null where there is none. */
export function idIn(value: unknown): string | null {
  const id = text(value);
  return id === null ? null : checkedId(id);
}

export function nameIn(value: unknown): string | null {
  const name = text(value);
  return name === null ? null : checkedName(name);
}

function checked(id: string, form: RegExp): string {
  if (form.test(id)) return id;
  throw ownError(
    'bad_request',
    'the id of a bulk job or of one of its files has characters that no id has, so nothing is sent to its address',
  );
}
