import { stripVTControlCharacters } from 'node:util';
import { withoutText } from '../core/index.ts';
import { holdsProtectedData } from './protected-data.ts';

/** What is said of a fault of Krisis's own. The text of an error can quote what it stumbled over, so with protected data in the process only its kind and the places in the code are shown. */
export function faultText(thrown: unknown): string {
  const error = holdsProtectedData()
    ? withoutText(thrown)
    : thrown instanceof Error
      ? thrown
      : new Error(String(thrown));
  const more = process.env.KRISIS_DEBUG
    ? (error.stack ?? '')
    : 'This is a bug in krisis. Set KRISIS_DEBUG=1 for the trace, and please report it.';
  return `krisis: internal error: ${stripVTControlCharacters(error.message)}\n${more}\n`;
}
