import { reasonsToGive } from '../../core/deferral-reasons.ts';
import { type AnswerObject, type AnswerSearch, findAnswers } from '../../core/find-answers.ts';
import { comparableText } from '../../core/json-in-text.ts';
import { isBlank, type Label, type LabelKey, labelKey } from '../../core/label.ts';
import { asksUrgency, isForced, type ReplyTask, type Task } from '../../suites/task.ts';
import type { VisibleRecord } from '../backend.ts';
import type { Answer } from '../define-backend.ts';

/** Raised when a change of the parser makes new rows differ from old ones. */
export const PARSER_VERSION = 5;

/** The records that a reply is about: an answer in one of their texts may be quoted in the reply. */
type Records = readonly Pick<VisibleRecord, 'features'>[];

/**
 * Parses the reply to one case. An answer in a list or in another object counts as repaired. A reply that cannot be parsed has a reason:
 * `empty`, `no_json`, `cut_off`, `malformed`, `no_answer`, `no_results`, `two_answers`, `quoted_from_record`.
 */
export function parseSingle(text: string, task: ReplyTask, records: Records) {
  const found = findAnswers(text, searchFor(records));
  if (!found.ok) return found;
  const { answers, hasUnreadable } = found;
  const { value, root } = lastReadable(answers);
  if (Array.isArray(value)) return { ok: false as const, reason: 'no_answer' };
  return {
    ok: true as const,
    value: hasUnreadable ? invalidAnswer('two_answers') : agreedAnswer(answers, task),
    repaired: found.repaired || value !== root,
  };
}

/**
 * Parses the reply to several cases, in the order of `caseIds`. Answers are matched to cases by id, never by position; null where a
 * case has no answer, or is not in every list of the reply. Only `results`, or a value that is a list, is such a list: an answer
 * in any other list, outside a list, or inside the answer to another case can only contradict. A list without its object counts as
 * repaired.
 */
export function parseBatch(text: string, task: ReplyTask, caseIds: readonly string[], records: Records) {
  const found = findAnswers(text, { ...searchFor(records), listKey: 'results' });
  if (!found.ok) return found;
  const { answers } = found;
  if (found.hasUnreadable) return { ok: false as const, reason: 'two_answers' };
  const lists = new Set<object>();
  for (const { list, isReadable } of answers) if (list !== null && isReadable) lists.add(list);
  if (lists.size === 0) return { ok: false as const, reason: 'no_results' };
  const byId = Map.groupBy(answers, ({ id }) => (typeof id === 'string' ? idKey(id) : undefined));
  const value = caseIds.map((id) => {
    const group = byId.get(idKey(id)) ?? [];
    const isIn = (list: object) => group.some((answer) => answer.list === list && answer.isReadable);
    return [...lists].every(isIn) ? agreedAnswer(group, task) : null;
  });
  const repaired = found.repaired || answers.some(({ list, root }) => list === root);
  return { ok: true as const, value, repaired };
}

function searchFor(records: Records): AnswerSearch {
  return {
    keys: ['prediction', 'abstained'],
    decisions: (answer) => [decisionIn(answer)],
    sources: records.map(({ features }) => features),
    quotedFrom: 'record',
  };
}

/** The label that an answer gives, or that it gives none, read leniently: a quote may change types and letter case. */
function decisionIn(answer: object): string {
  const textAt = (name: string): string =>
    comparableText(Object.entries(answer).find(([key]) => comparableText(key) === name)?.[1]);
  return textAt('abstained') === 'true' ? 'abstained' : `label ${labelKey(textAt('prediction'))}`;
}

/** The answer to a case of which the reply has one or several. Several that differ in anything that is scored are no answer. */
function agreedAnswer(answers: readonly AnswerObject[], task: ReplyTask): Answer {
  const readings = answers.map(({ value, repeatsKey }) =>
    repeatsKey ? invalidAnswer('duplicate_keys') : readAnswer(value as Record<string, unknown>, task),
  );
  if (new Set(readings.map(scoredText)).size > 1) return invalidAnswer('two_answers');
  const { value, span } = lastReadable(answers);
  return { ...readings[0]!, replyOrder: fieldOrder(value), replySpan: span };
}

function lastReadable(answers: readonly AnswerObject[]): AnswerObject {
  return answers.findLast(({ isReadable }) => isReadable)!;
}

/** Everything in an answer that is scored. */
function scoredText(answer: Answer): string {
  const { prediction, abstained, confidence, urgent, deferralReason, invalid } = answer;
  const optional = [urgent ?? null, deferralReason ?? null, invalid ?? null];
  return JSON.stringify([prediction, abstained, confidence, ...optional]);
}

function invalidAnswer(invalid: string): Answer {
  return { prediction: null, abstained: false, confidence: null, invalid };
}

const FIELDS = ['reasoning', 'urgent', 'abstained', 'prediction', 'confidence', 'reason'];

/** The fields that were asked for, in the order in which the reply has them. Nothing else of the reply: a key may quote the record. */
function fieldOrder(entry: object): string {
  return Object.keys(entry)
    .filter((key) => FIELDS.includes(key))
    .join(',');
}

function idKey(id: string): string {
  return id.trim().toLowerCase();
}

/**
 * Reads one entry strictly: `abstained` must be a boolean, and a label must be one of the task's. Only a boolean says whether the case is urgent. A reason for deferring that was not offered is none.
 * `confidence` is as stated, even outside 0 to 1: metrics count such values as invalid. An answer with `invalid` is wrong, never an abstention.
 */
export function readAnswer(entry: Readonly<Record<string, unknown>>, task: ReplyTask): Answer {
  const { labels } = task;
  const said = own(entry, 'abstained');
  // A reply without room for abstaining may still say that it abstains.
  const abstained = said === undefined && isForced(task) ? false : said;
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
    return { prediction: null, abstained, confidence, ...urgency, ...(deferralReason && { deferralReason }) };
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

function own(entry: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(entry, key) ? entry[key] : undefined;
}
