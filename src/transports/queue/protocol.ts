import { hash } from 'node:crypto';
import { deriveQueueTag } from './cipher.ts';

/** Raised when jobs or results change, and with every major version of BullMQ, whose scripts and keys differ: workers of another protocol listen to another queue and never see the job. */
const PROTOCOL = '2-6';
/** All keys begin with it, so that a user of Redis can be limited to them. */
export const PREFIX = 'krisis';

const MAX_SLUG = 40;
const PLAIN = /^[\w-]+$/;

/** The queue of a model: readable, and different for every model, protocol and secret. */
export function queueName(model: string, secret: string): string {
  const slug = model
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_SLUG);
  return `krisis-${PROTOCOL}-${slug}-${hash('sha256', model).slice(0, 8)}-${deriveQueueTag(secret)}`;
}

/** Names one try of one call for ever. BullMQ takes no colon in it, and no number alone. */
export function jobId(run: string, key: string, attempt: number): string {
  return `${run}.${PLAIN.test(key) ? key : hash('sha256', key).slice(0, 32)}.${attempt}`;
}

/** Whether a job is of this run. */
export function isJobOf(run: string, id: string): boolean {
  return id.startsWith(`${run}.`);
}

/** Whether a text can be the name of a queue. Anyone who can write to the Redis can add names. */
export function isQueueName(text: string): boolean {
  return text.startsWith('krisis-') && PLAIN.test(text);
}

/** How often things are looked at, in milliseconds. Tests are less patient. */
export const TIMING = {
  /** Between two signs of life of workers and runs, and two looks at calls without a result. */
  beatMs: 5000,
  /** A call without a result for so long is looked up: the message that it ended may be lost. */
  lookAfterMs: 10_000,
  /** Lock timeout: after this, a silent worker's job is reassigned. */
  lockMs: 15_000,
  /** Between two looks for such jobs. */
  stalledMs: 5000,
  /** How long a worker may begin a call. The run renews calls that wait longer. */
  lifetimeMs: 3_600_000,
};
/** Results that no run takes stay for so long. */
export const KEEP_SECONDS = 24 * 3600;
