import { usageError } from './usage-error.ts';

/** The address of the queue: as typed, or from the environment. */
export function queueAddress(typed: string | true | undefined): string {
  const url = typeof typed === 'string' ? typed : process.env.KRISIS_QUEUE_URL;
  if (!url)
    throw usageError('which queue? Give --queue URL, e.g. redis://127.0.0.1:6379, or set KRISIS_QUEUE_URL');
  return url;
}

/** What seals calls in the queue; undefined where it is not set. */
export function queueSecret(): string | undefined {
  return process.env.KRISIS_QUEUE_SECRET || undefined;
}
