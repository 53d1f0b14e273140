import type { default as ERROR_CODES } from './error-codes.json';

/**
 * An error a user can act on: the message names the problem, where it is, what was expected and what to do.
 *
 * @example
 * ```ts
 * const error = new KrisisError('answers.jsonl:3: confidence is "high"; expected a number or null', { value: 'high' });
 * error.code // => 'ERR_BAD_INPUT'
 * ```
 */
export class KrisisError extends Error {
  override readonly name = 'KrisisError';
  /** The kind of error; `docs/errors.md` lists the codes. Default: `ERR_BAD_INPUT`. */
  readonly code: ErrorCode;
  /** The offending value, for programs that need more than the message. Default: undefined. */
  readonly value: unknown;

  constructor(message: string, options: { code?: ErrorCode; value?: unknown; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code ?? 'ERR_BAD_INPUT';
    this.value = options.value;
  }
}

/** The error of a function that got an argument it cannot work with. */
export function argumentError(message: string, value: unknown): KrisisError {
  return new KrisisError(message, { code: 'ERR_ARGUMENT', value });
}

/**
 * The kind of an error: stable, for programs that handle some of them. `error-codes.json` has every code that a {@link KrisisError} can have, with its meaning, in alphabetical order;
 * `docs/errors.md` lists them.
 */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The kind of an error where it is one of the language's own or of Krisis's, else `Error`: a name of another kind may hold anything. */
export function errorKind(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  return /^(Aggregate|Eval|Krisis|Range|Reference|Syntax|Type|URI)?Error$/.test(name) ? name : 'Error';
}

/** The lines of an error's trace that name places in the code, without its message, which may quote data. */
function stackPlaces({ stack = '', message }: Error): string {
  return stack
    .replace(message, '')
    .split('\n')
    .filter((line) => /^ {4}at [\w.<>#[\] ]*\(?(file:|node:|\/|[A-Z]:\\)/.test(line))
    .join('\n');
}

/**
 * Where in the user's code this was called: ` (suite.ts:12:5)`; empty where that is not known.
 */
export function placeInUserCode(): string {
  const frames = (new Error().stack ?? '').split('\n').slice(1);
  // Here and not at the top: the page of the viewer loads this file, and a classic script has no address of its own.
  const ownCode = new URL('../', import.meta.url).href;
  const own = [ownCode, decodeURIComponent(ownCode.replace(/^file:\/\//, ''))];
  const frame = frames.find(
    (line) => !own.some((folder) => line.includes(folder)) && !/node:|<anonymous>|node_modules/.test(line),
  );
  const [, file, place] = /([^/\\(\s]+):(\d+:\d+)\)?$/.exec(frame ?? '') ?? [];
  return file === undefined ? '' : ` (${file}:${place})`;
}

/** An error without its text: its kind and the places in the code. For errors that may quote protected data. */
export function withoutText(error: unknown): Error {
  const kind = errorKind(error);
  const bare = new Error(`${kind}; its text is withheld, because the data are protected`);
  bare.stack = `${bare.message}\n${error instanceof Error ? stackPlaces(error) : ''}`.trimEnd();
  return bare;
}

const PERMISSIONS = 'choose another place, or change its permissions';

/** What is wrong, what to do about it, and what is wrong in the words for a file that was to be read. */
const SYSTEM_ERRORS: Readonly<Record<string, readonly [problem: string, advice: string, reading?: string]>> =
  {
    EACCES: ['no permission', PERMISSIONS, 'no permission to read it'],
    EBUSY: ['it is in use', 'close what uses it, or choose another place'],
    EDQUOT: ['your share of the disk is used up', 'make room, or choose another disk'],
    EEXIST: ['it already exists', 'choose another name'],
    EISDIR: ['it is a folder where a file is expected', 'name a file', 'it is a folder'],
    ELOOP: ['its links lead in a circle', 'check the path'],
    EMFILE: ['too many files are open', 'raise the limit (ulimit -n)'],
    ENAMETOOLONG: ['its name is too long', 'choose a shorter one'],
    ENFILE: ['too many files are open on this machine', 'close some programs'],
    ENOENT: ['there is no such file or folder', 'check the path', 'no such file'],
    ENOSPC: ['the disk is full', 'make room, or choose another disk'],
    ENOTDIR: [
      'a part of its path is a file, not a folder',
      'check the path',
      'no such file (a part of its path is a file, not a folder)',
    ],
    ENOTREG: [
      'it is a pipe or a device',
      'write its content to a regular file first',
      'it is a pipe or a device, not a regular file',
    ],
    ENOTEMPTY: ['the folder is not empty', 'choose another one'],
    EPERM: ['not permitted', PERMISSIONS, 'no permission to read it'],
    EROFS: ['the disk is read-only', 'choose another place'],
  };

/** What an error code of the operating system means; undefined for other codes. */
export function explainSystemError(code: string | undefined) {
  const [problem, advice, reading = problem] = SYSTEM_ERRORS[code ?? ''] ?? [];
  return problem === undefined ? undefined : { problem, advice, reading };
}

/**
 * Why a file cannot be read, in words.
 *
 * @example
 * ```ts
 * whyUnreadable({ code: 'EISDIR' }) // => 'it is a folder'
 * whyUnreadable({ code: 'EIO' }) // => 'cannot be read (EIO)'
 * ```
 */
export function whyUnreadable(cause: unknown): string {
  const { code } = cause as { readonly code?: string };
  return explainSystemError(code)?.reading ?? `cannot be read (${code ?? 'unknown reason'})`;
}
