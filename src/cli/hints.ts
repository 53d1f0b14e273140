import type { ErrorCode, KrisisError } from '../core/index.ts';

/** What to type, for errors whose library text cannot know that a command line is in use. */
const HINTS: Partial<Record<ErrorCode, (error: KrisisError) => string>> = {
  ERR_BASE_URL: () => 'On the command line, --base-url URL sets the address.',
  ERR_EXPORT_EXISTS: () => 'To replace it, add --force.',
  ERR_PORT_UNAVAILABLE: () => 'Choose another port with --port, or any free one with --port 0.',
};

/** The line that the command adds to an error; null where the message says it all. */
export function hintFor(error: KrisisError): string | null {
  return HINTS[error.code]?.(error) ?? null;
}
