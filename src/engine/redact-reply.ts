import { type Label, reasonsToGive, sameLabel, withoutReasoning } from '../core/index.ts';
import type { VisibleRecord } from '../models/index.ts';
import type { Task } from '../suites/index.ts';
import { scrub } from './scrub.ts';
import { scrubWords } from './scrub-words.ts';

/** Words of the reply's form, and the placeholder of a redacted value. */
const FORM = 'results reasoning prediction abstained confidence reason case true false null redacted'.split(
  ' ',
);

/** In the place of what a model reasoned: as long, so that places in the reply stay what they were. */
const BLOCK = '█';
const REASONING = /("reasoning"\s*:\s*")([^"\\]*(?:\\.[^"\\]*)*)"/g;

/** A reply about protected records as it may be stored: without reasoning; otherwise unchanged if it is nothing but an answer, else without the values of the records and without their words. */
export function redactReply(reply: string, records: readonly VisibleRecord[], task: Task): string {
  const text = withoutReasoning(reply, BLOCK).text.replace(
    REASONING,
    (_, key: string, reasoning: string) => `${key}${BLOCK.repeat(reasoning.length)}"`,
  );
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
    reply = JSON.parse(text.replaceAll(BLOCK, ' '));
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

function isAnswer(reply: Record<string, unknown>, task: Task): boolean {
  const { labels } = task;
  return Object.entries(reply).every(([key, value]) => {
    if (value === undefined || value === null) return true;
    if (key === 'abstained') return typeof value === 'boolean';
    if (key === 'confidence') return typeof value === 'number' && value >= 0 && value <= 1;
    if (key === 'reasoning') return typeof value === 'string' && value.trim() === '';
    if (key === 'reason') return reasonsToGive(task).some((reason) => reason === value);
    return key === 'prediction' && labels.some((label) => isLabel(value) && sameLabel(label, value));
  });
}

export function isLabel(value: unknown): value is Label {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
