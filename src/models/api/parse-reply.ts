import { isDeepStrictEqual } from 'node:util';
import { jsonInText } from '../../core/index.ts';
import type { Task } from '../../suites/index.ts';
import { type AnswerEntry, type ParsedAnswer, readAnswer } from './read-answer.ts';

/** A parsed reply, or why it cannot be parsed: `empty`, `no_json`, `cut_off`, `malformed`, `several_answers`, `no_answer`, `no_results`. */
export type ParsedReply<T> =
  | { readonly ok: true; readonly value: T; readonly repaired: boolean }
  | { readonly ok: false; readonly reason: string };

/** Parses the reply to one case. A single answer in a list, as in a batch reply, counts as repaired. */
export function parseSingle(text: string, task: Pick<Task, 'labels'>): ParsedReply<ParsedAnswer> {
  const found = jsonInText(text, (value) => isAnswer(value) || holdsAnswer(value));
  if (!found.ok) return found;
  const list = isAnswer(found.value) ? null : listIn(found.value);
  if (list === null) {
    return { ok: true, value: readAnswer(found.value as AnswerEntry, task), repaired: found.repaired };
  }
  if (list.length > 1) return { ok: false, reason: 'several_answers' };
  const [only] = list;
  return isEntry(only)
    ? { ok: true, value: readAnswer(only, task), repaired: true }
    : { ok: false, reason: 'no_answer' };
}

/**
 * Parses the reply to several cases, in the order of `caseIds`. Answers are matched to cases by id, never by position; null where a case has no answer, or two that
 * differ. A list without its object, or for a single case an answer without its list, counts as repaired.
 */
export function parseBatch(
  text: string,
  task: Pick<Task, 'labels'>,
  caseIds: readonly string[],
): ParsedReply<readonly (ParsedAnswer | null)[]> {
  const isOnly = (value: unknown): value is AnswerEntry => caseIds.length === 1 && isAnswer(value);
  const found = jsonInText(text, (value) => holdsAnswer(value) || isOnly(value));
  if (!found.ok) return found;
  const { value } = found;
  const repaired = found.repaired || Array.isArray(value);
  const list = listIn(value);
  if (list !== null) return { ok: true, value: answersById(list, task, caseIds), repaired };
  if (!isOnly(value)) return { ok: false, reason: 'no_results' };
  const named = Object.hasOwn(value, 'id') ? value : { ...value, id: caseIds[0] };
  return { ok: true, value: answersById([named], task, caseIds), repaired: true };
}

function answersById(
  list: readonly unknown[],
  task: Pick<Task, 'labels'>,
  caseIds: readonly string[],
): (ParsedAnswer | null)[] {
  const byId = new Map<string, ParsedAnswer | null>();
  for (const entry of list) {
    if (!isEntry(entry) || !Object.hasOwn(entry, 'id') || typeof entry.id !== 'string') continue;
    const id = idKey(entry.id);
    const answer = readAnswer(entry, task);
    const earlier = byId.get(id);
    byId.set(id, earlier === undefined || isDeepStrictEqual(earlier, answer) ? answer : null);
  }
  return caseIds.map((id) => byId.get(idKey(id)) ?? null);
}

function idKey(id: string): string {
  return id.trim().toLowerCase();
}

/** The list of answers in a reply: under `results`, or the reply itself. */
function listIn(value: object): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  return 'results' in value && Object.hasOwn(value, 'results') && Array.isArray(value.results)
    ? value.results
    : null;
}

function holdsAnswer(value: object): boolean {
  return listIn(value)?.some(isAnswer) ?? false;
}

function isEntry(value: unknown): value is AnswerEntry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAnswer(value: unknown): value is AnswerEntry {
  return isEntry(value) && (Object.hasOwn(value, 'prediction') || Object.hasOwn(value, 'abstained'));
}
