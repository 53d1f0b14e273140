import { type Label, sameLabel } from '../core/index.ts';
import type { VisibleRecord } from '../models/index.ts';
import type { Task } from '../suites/index.ts';
import { scrub } from './scrub.ts';
import { scrubWords } from './scrub-words.ts';

/** Words of the reply's form, and the placeholder of a redacted value. */
const FORM = 'results prediction abstained confidence case true false null redacted'.split(' ');

/** A reply about protected records as it may be stored: unchanged if it is nothing but an answer, else without the values of the records and without their words. */
export function redactReply(text: string, records: readonly VisibleRecord[], task: Task): string {
  if (isBareAnswer(text, task)) return text;
  const labels = task.labels.flatMap((label) =>
    String(label)
      .toLowerCase()
      .split(/[^\p{L}\d]+/u),
  );
  return scrubWords(scrub(text, records), records, new Set([...FORM, ...labels]));
}

/** Whether a reply holds a label, a flag and a number, and no other word. */
function isBareAnswer(text: string, task: Task): boolean {
  let reply: unknown;
  try {
    reply = JSON.parse(text);
  } catch {
    return false;
  }
  if (!isObject(reply)) return false;
  const { results, ...rest } = reply;
  if (results === undefined) return isAnswer(reply, task);
  return (
    Array.isArray(results) &&
    Object.keys(rest).length === 0 &&
    results.every(
      (entry) =>
        isObject(entry) && /^case_\d+$/.test(String(entry.id)) && isAnswer({ ...entry, id: undefined }, task),
    )
  );
}

function isAnswer(reply: Record<string, unknown>, { labels }: Task): boolean {
  return Object.entries(reply).every(([key, value]) => {
    if (value === undefined || value === null) return true;
    if (key === 'abstained') return typeof value === 'boolean';
    if (key === 'confidence') return typeof value === 'number' && value >= 0 && value <= 1;
    return key === 'prediction' && labels.some((label) => isLabel(value) && sameLabel(label, value));
  });
}

export function isLabel(value: unknown): value is Label {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
