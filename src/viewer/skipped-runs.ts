import { KrisisError } from '../core/errors.ts';

/** The error about a file that a reader did not come back from. */
export function notRead(name: string, why: string): KrisisError {
  return new KrisisError(
    `${name}: could not be read (${why}); other runs can be viewed. The file may be damaged, or made to stop readers: krisis runs verify checks it`,
    { code: 'ERR_VIEW_TIMEOUT', value: name },
  );
}
