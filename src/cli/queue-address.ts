import { usageError } from './usage-error.ts';

/** The address of the queue: as typed, or from the environment. */
export function queueAddress(typed: string | true | undefined): string {
  const url = typeof typed === 'string' ? typed : process.env.KRISIS_QUEUE_URL;
  if (!url)
    throw usageError('which queue? Give --queue URL, e.g. redis://127.0.0.1:6379, or set KRISIS_QUEUE_URL');
  return url;
}

/** The secret of the queue, which is never typed: others could see it in the list of processes. */
export async function queueSecret(): Promise<string> {
  const { requireSecret } = await import('../queue/index.ts');
  // A secret from a file may end in a line break.
  return requireSecret(process.env.KRISIS_QUEUE_SECRET?.trim());
}
