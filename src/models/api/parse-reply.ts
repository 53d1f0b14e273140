import { isDeepStrictEqual } from 'node:util';
import { isBlank, jsonInText, type Label, type LabelKey, labelKey } from '../../core/index.ts';
import type { Task } from '../../suites/index.ts';
import type { BackendResponse } from '../backend.ts';

type Labelled = Pick<Task, 'labels'>;

/** A parsed reply, or why it cannot be parsed: `empty`, `no_json`, `cut_off`, `malformed`, `several_answers`, `no_answer`, `no_results`. */
export type ParsedReply<T> =
  | { readonly ok: true; readonly value: T; readonly repaired: boolean }
  | { readonly ok: false; readonly reason: string };

/** Parses the reply to one case. A single answer in a list, as in a batch reply, counts as repaired. */
export function parseSingle(text: string, task: Labelled): ParsedReply<ParsedAnswer> {
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
export function parseBatch(text: string, task: Labelled, caseIds: readonly string[]): ParsedReply<Answers> {
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

type Answers = readonly (ParsedAnswer | null)[];

function answersById(list: readonly unknown[], task: Labelled, caseIds: readonly string[]): Answers {
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

/**
 * The answer of a reply to one case. `confidence` is as stated, even outside 0 to 1: metrics count such values as invalid. An answer with `invalid` is wrong, never an abstention.
 */
type ParsedAnswer = Pick<BackendResponse, 'prediction' | 'abstained' | 'confidence' | 'invalid'>;

type AnswerEntry = Readonly<Record<string, unknown>>;

/** Reads one entry strictly: `abstained` must be a boolean, and a label must be one of the task's. */
export function readAnswer(entry: AnswerEntry, { labels }: Labelled): ParsedAnswer {
  const abstained = own(entry, 'abstained');
  const given = own(entry, 'prediction');
  const confidence = finiteNumber(own(entry, 'confidence'));
  const asGiven = typeof given === 'string' ? given : finiteNumber(given);
  const invalid = (invalid: string) => ({ prediction: asGiven, abstained: false, confidence, invalid });

  if (abstained === undefined) return invalid('abstained_missing');
  if (typeof abstained !== 'boolean') return invalid('abstained_is_no_boolean');
  if (abstained) return { prediction: null, abstained, confidence };
  if (given === undefined || given === null) return invalid('no_answer');
  if (!mayBeLabel(given, labels)) return invalid('prediction_is_no_label');
  if (isBlank(given)) return invalid('no_answer');
  const label = labelsByKey(labels).get(labelKey(given));
  return label === undefined ? invalid('label_not_in_task') : { prediction: label, abstained, confidence };
}

/** A boolean would be compared as 0 or 1, so it counts only where the task's labels are booleans. */
function mayBeLabel(value: unknown, labels: Labelled['labels']): value is Label {
  if (typeof value === 'boolean') return labels.some((label) => typeof label === 'boolean');
  return typeof value === 'string' || typeof value === 'number';
}

const keysOfLabels = new WeakMap<Labelled['labels'], Map<LabelKey, Label>>();

/** Labels by their key and by the key of their text: the schema asks for labels as text, and `true` and `"true"` have different keys. */
function labelsByKey(labels: Labelled['labels']): Map<LabelKey, Label> {
  let byKey = keysOfLabels.get(labels);
  if (!byKey) {
    byKey = new Map([
      ...labels.map((label) => [labelKey(String(label)), label] as const),
      ...labels.map((label) => [labelKey(label), label] as const),
    ]);
    keysOfLabels.set(labels, byKey);
  }
  return byKey;
}

function finiteNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function own(entry: AnswerEntry, key: string): unknown {
  return Object.hasOwn(entry, key) ? entry[key] : undefined;
}
