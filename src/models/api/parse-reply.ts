import {
  finalAnswer,
  isBlank,
  type JsonInText,
  jsonInText,
  type Label,
  type LabelKey,
  labelKey,
  reasonsToGive,
} from '../../core/index.ts';
import { asksUrgency, type ReplyTask, type Task } from '../../suites/index.ts';
import type { BackendResponse } from '../backend.ts';

/** A parsed reply, or why it cannot be parsed: `empty`, `no_json`, `cut_off`, `malformed`, `no_answer`, `no_results`. */
export type ParsedReply<T> =
  | { readonly ok: true; readonly value: T; readonly repaired: boolean }
  | { readonly ok: false; readonly reason: string };

/** Parses the reply to one case. An answer in a list, as in a batch reply, counts as repaired. */
export function parseSingle(text: string, task: ReplyTask): ParsedReply<ParsedAnswer> {
  const json = jsonInText(text, (value) => isAnswer(value) || holdsAnswer(value));
  if (!json.ok) return json;
  const given = json.found.flatMap((found) => givenIn(found, task));
  if (given.length === 0) return { ok: false, reason: 'no_answer' };
  const isListed = json.found.some(({ value }) => listIn(value) !== null);
  return { ok: true, value: answerOf(given), repaired: json.repaired || isListed };
}

/**
 * Parses the reply to several cases, in the order of `caseIds`. Answers are matched to cases by id, never by position; null where a case has no answer. A list without its
 * object, or for a single case an answer without its list, counts as repaired.
 */
export function parseBatch(text: string, task: ReplyTask, caseIds: readonly string[]): ParsedReply<Answers> {
  const json = jsonInText(text, (value) => isAnswer(value) || holdsAnswer(value));
  if (!json.ok) return json;
  const isListed = json.found.some(({ value }) => listIn(value) !== null);
  const isOnly = caseIds.length === 1 && json.found.some(({ value }) => isAnswer(value));
  if (!isListed && !isOnly) return { ok: false, reason: 'no_results' };
  const byId = Map.groupBy(
    json.found.flatMap((found) => givenIn(found, task)),
    ({ id, listed }) => (id === undefined && isOnly && !listed ? idKey(caseIds[0]!) : id),
  );
  const repaired = json.repaired || !isListed || json.found.some(({ value }) => Array.isArray(value));
  const value = caseIds.map((id) => (byId.has(idKey(id)) ? answerOf(byId.get(idKey(id))!) : null));
  return { ok: true, value, repaired };
}

type Answers = readonly (ParsedAnswer | null)[];

/** One answer of a reply, of perhaps several to the same case. */
interface GivenAnswer extends Pick<JsonInText, 'phrase'> {
  readonly answer: ParsedAnswer;
  /** In the form in which ids are compared; undefined where there is none. */
  readonly id: string | undefined;
  readonly listed: boolean;
  /** Says whether it abstains, so that it can count beside others. */
  readonly complete: boolean;
}

/** The answers in an object of a reply: the entries of its list, or the object itself. */
function givenIn(found: JsonInText, task: ReplyTask): GivenAnswer[] {
  const { value, phrase } = found;
  const list = listIn(value);
  return (list ?? [value]).filter(isEntry).map((entry) => {
    const id = own(entry, 'id');
    const repeatsKey = found.repeatsKey(entry) || found.repeatsKey(value);
    const read = repeatsKey ? invalidAnswer('duplicate_keys') : readAnswer(entry, task);
    return {
      answer: { ...read, replyOrder: orderOf(entry), replySpan: found.spanOf(entry) },
      phrase,
      id: typeof id === 'string' ? idKey(id) : undefined,
      listed: list !== null,
      complete: Object.hasOwn(entry, 'abstained'),
    };
  });
}

/** The answer to a case of which the reply has one or several. Answers that differ, of which none is called final, are no answer. */
function answerOf(given: readonly GivenAnswer[]): ParsedAnswer {
  const complete = given.filter((one) => one.complete);
  if (complete.length === 0) return given.at(-1)!.answer;
  const agree = ({ answer: a }: GivenAnswer, { answer: b }: GivenAnswer) =>
    a.abstained === b.abstained &&
    a.prediction === b.prediction &&
    a.urgent === b.urgent &&
    a.invalid === b.invalid;
  return finalAnswer(complete, agree)?.answer ?? invalidAnswer('two_answers');
}

function invalidAnswer(invalid: string): ParsedAnswer {
  return { prediction: null, abstained: false, confidence: null, invalid };
}

const FIELDS = ['reasoning', 'urgent', 'abstained', 'prediction', 'confidence', 'reason'];

/** The fields that were asked for, in the order in which the reply has them. Nothing else of the reply: a key may quote the record. */
function orderOf(entry: AnswerEntry): string {
  return Object.keys(entry)
    .filter((key) => FIELDS.includes(key))
    .join(',');
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
type ParsedAnswer = Pick<
  BackendResponse,
  | 'prediction'
  | 'abstained'
  | 'confidence'
  | 'urgent'
  | 'invalid'
  | 'deferralReason'
  | 'replyOrder'
  | 'replySpan'
>;

type AnswerEntry = Readonly<Record<string, unknown>>;

/** Reads one entry strictly: `abstained` must be a boolean, and a label must be one of the task's. Only a boolean says whether the case is urgent. A reason for deferring that was not offered is none. */
export function readAnswer(entry: AnswerEntry, task: ReplyTask): ParsedAnswer {
  const { labels } = task;
  const abstained = own(entry, 'abstained');
  const given = own(entry, 'prediction');
  const confidence = finiteNumber(own(entry, 'confidence'));
  const asGiven = typeof given === 'string' ? given : finiteNumber(given);
  const invalid = (invalid: string) => ({ prediction: asGiven, abstained: false, confidence, invalid });
  const stated = own(entry, 'urgent');
  const urgency = asksUrgency(task) && typeof stated === 'boolean' && { urgent: stated };

  if (abstained === undefined) return invalid('abstained_missing');
  if (typeof abstained !== 'boolean') return invalid('abstained_is_no_boolean');
  if (abstained) {
    const deferralReason = reasonIn(own(entry, 'reason'), task);
    return {
      prediction: null,
      abstained,
      confidence,
      ...urgency,
      ...(deferralReason !== null && { deferralReason }),
    };
  }
  if (given === undefined || given === null) return invalid('no_answer');
  if (!mayBeLabel(given, labels)) return invalid('prediction_is_no_label');
  if (isBlank(given)) return invalid('no_answer');
  const label = labelsByKey(labels).get(labelKey(given));
  return label === undefined
    ? invalid('label_not_in_task')
    : { prediction: label, abstained, confidence, ...urgency };
}

function reasonIn(given: unknown, task: ReplyTask): string | null {
  if (typeof given !== 'string') return null;
  const code = given.trim().toLowerCase();
  return reasonsToGive(task).find((reason) => reason.toLowerCase() === code) ?? null;
}

/** A boolean would be compared as 0 or 1, so it counts only where the task's labels are booleans. */
function mayBeLabel(value: unknown, labels: Task['labels']): value is Label {
  if (typeof value === 'boolean') return labels.some((label) => typeof label === 'boolean');
  return typeof value === 'string' || typeof value === 'number';
}

const keysOfLabels = new WeakMap<Task['labels'], Map<LabelKey, Label>>();

/** Labels by their key and by the key of their text: the schema asks for labels as text, and `true` and `"true"` have different keys. */
function labelsByKey(labels: Task['labels']): Map<LabelKey, Label> {
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
