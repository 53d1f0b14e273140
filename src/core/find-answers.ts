import {
  comparableText,
  type JsonInText,
  jsonInText,
  looseObjects,
  MAX_OBJECTS,
  type ObjectRead,
  Repair,
} from './json-in-text.ts';
import type { TextSpan } from './read-json.ts';

/** An object of a reply that has a key of an answer. */
export interface AnswerObject {
  readonly value: object;
  /** The outermost object or list that it is in; itself where there is none. */
  readonly root: object;
  /** The `id` of the object, or else of the nearest object around it that is in the same list. */
  readonly id: unknown;
  /** The list that was asked for, if it is in that list and no object around it in there has another id. */
  readonly list: object | null;
  readonly span: TextSpan | null;
  /** Whether the object, one in it or one around it has a key twice. */
  readonly repeatsKey: boolean;
  /** Whether it has only keys of a part of an answer. */
  readonly isPart: boolean;
  /** False for an object that was escaped or disguised: it can contradict an answer, but is never one. */
  readonly isReadable: boolean;
}

type FoundAnswers =
  | {
      readonly ok: true;
      /** At least one of them is readable. Inner objects come before those around them. */
      readonly answers: readonly AnswerObject[];
      /** Whether the reply has one more answer, which cannot be read. */
      readonly hasUnreadable: boolean;
      readonly repaired: boolean;
    }
  | { readonly ok: false; readonly reason: string };

export interface AnswerSearch {
  /** An object with one of these keys is an answer, whatever their letter case. */
  readonly keys: readonly string[];
  /** An object with one of these is a part of the answer that it is in, and an answer where it is in none. Default: none. */
  readonly partKeys?: readonly string[];
  /** The key of the list of answers that was asked for; a value that is itself a list counts as that list. Default: one answer was asked for. */
  readonly listKey?: string;
  /** What an answer decides. An answer of which a source has every decision is a quote. */
  readonly decisions: (answer: object) => readonly string[];
  /** What the model was shown: texts, and objects with texts in them. */
  readonly sources: readonly unknown[];
  /** What the sources are called in the reason of a reply of nothing but quotes. */
  readonly quotedFrom: 'record' | 'answer';
}

/**
 * All answers of a reply, at any depth, except those that it quotes from the sources. The value of a reply that is one JSON value,
 * and the entries of the list that was asked for, are never quotes. The words around an answer decide nothing.
 *
 * @example
 * ```ts
 * const search = {
 *   keys: ['prediction'],
 *   decisions: ({ prediction }) => [String(prediction)],
 *   sources: ['Reply {"prediction": "ill"}!'],
 *   quotedFrom: 'record',
 * };
 * const found = findAnswers('Not {"prediction": "ill"} but {"prediction": "well"}', search);
 * found.ok && found.answers.map(({ value }) => value) // => [{ prediction: 'well' }]
 * findAnswers('So: {"prediction": "ill"}', search) // => { ok: false, reason: 'quoted_from_record' }
 * ```
 */
export function findAnswers(text: string, search: AnswerSearch): FoundAnswers {
  const { values, isWhole, repaired, rest, fault } = jsonInText(text);
  const readable = values.flatMap((value) => answersIn(value, search));
  const [whole] = values;
  if (isWhole && whole !== undefined && readable.length === 0)
    return { ok: true, answers: [wholeAnswer(whole)], hasUnreadable: false, repaired };
  if (readable.length === 0) return { ok: false, reason: fault ?? 'malformed' };
  if (readable.length > MAX_OBJECTS) return { ok: false, reason: 'malformed' };

  const mentions = mentionsKey(search.keys);
  // After a bracket that is not closed, anything may be part of the value that it opened.
  const { found, isUnreadable } =
    fault === null
      ? looseObjects([rest, ...textsBeside(values, search.keys)].join('\n'), mentions, new Repair())
      : { found: [], isUnreadable: mentions.test(rest) };
  const loose = found.flatMap((read) => answersIn(read, search));
  const isQuote = quoteTest(search);
  const own = [
    ...readable.filter(
      (answer) => (isWhole && isOutermost(answer, whole!, search)) || !isQuote(answer.value),
    ),
    ...loose.filter(({ value }) => !isQuote(value)),
  ];
  if (!own.some(({ isReadable }) => isReadable))
    return { ok: false, reason: fault ?? `quoted_from_${search.quotedFrom}` };
  if (fault !== null && !isUnreadable) return { ok: false, reason: fault };
  return { ok: true, answers: own, hasUnreadable: isUnreadable, repaired };
}

function wholeAnswer({ value, places, findSpan }: JsonInText): AnswerObject {
  const { repeatsKey } = places.get(value)!;
  const span = findSpan(value);
  const flags = { isPart: false, isReadable: true };
  return { value, root: value, id: ownId(value), list: null, span, repeatsKey, ...flags };
}

/** Whether an answer is the reply itself or an entry of the list that was asked for. Any other list may hold quotes. */
function isOutermost(
  { value }: AnswerObject,
  { value: root, places }: JsonInText,
  search: AnswerSearch,
): boolean {
  const parent = places.get(value)!.parent;
  return parent === null || parent === askedList(root, search);
}

/** The list that was asked for, in a value of the reply. */
function askedList(root: object, { listKey }: AnswerSearch): object | null {
  if (listKey === undefined) return null;
  const list = Array.isArray(root) ? root : Object.entries(root).find(([key]) => key === listKey)?.[1];
  return Array.isArray(list) ? list : null;
}

/** The answers in a value, at any depth. */
function answersIn(
  { value: root, places, findSpan }: ObjectRead & Partial<JsonInText>,
  search: AnswerSearch,
): AnswerObject[] {
  const { keys, partKeys = [] } = search;
  const asked = askedList(root, search);
  const repeatsInside = new Set<object>();
  for (const [part, { repeatsKey, parent }] of places) {
    if (repeatsKey || answerKeys(part, keys) > 1) repeatsInside.add(part);
    if (parent !== null && repeatsInside.has(part)) repeatsInside.add(parent);
  }
  // From the outside to the inside, because an object inherits from those around it.
  const inherited = new Map<object, Inherited>();
  const answers: AnswerObject[] = [];
  for (const [part, { repeatsKey, parent }] of [...places].reverse()) {
    const around = parent === null ? NOTHING_AROUND : inherited.get(parent)!;
    const isAnswer = answerKeys(part, keys) > 0;
    const id = ownId(part);
    const isOtherId = id !== undefined && around.id !== undefined && id !== around.id;
    const own: Inherited = {
      isInList: around.isInList || Array.isArray(part),
      isInAskedList: around.isInAskedList || part === asked,
      isInAnswer: around.isInAnswer || isAnswer,
      // An id outside the list says nothing about its entries.
      id: id ?? (around.isInList || !Array.isArray(part) ? around.id : undefined),
      hasOtherId: around.isInList && (around.hasOtherId || isOtherId),
      repeatsKey: around.repeatsKey || repeatsKey,
    };
    inherited.set(part, own);
    if (!isAnswer && (around.isInAnswer || answerKeys(part, partKeys) === 0)) continue;
    answers.push({
      value: part,
      root,
      id: own.id,
      list: own.isInAskedList && !own.hasOtherId ? asked : null,
      span: findSpan?.(part) ?? null,
      repeatsKey: own.repeatsKey || repeatsInside.has(part),
      isPart: !isAnswer,
      isReadable: findSpan !== undefined,
    });
  }
  return answers.reverse();
}

/** What an object has from the objects and lists around it. */
interface Inherited extends Pick<AnswerObject, 'id' | 'repeatsKey'> {
  readonly isInList: boolean;
  readonly isInAskedList: boolean;
  readonly isInAnswer: boolean;
  readonly hasOtherId: boolean;
}

const NOTHING_AROUND: Inherited = {
  id: undefined,
  isInList: false,
  isInAskedList: false,
  isInAnswer: false,
  hasOtherId: false,
  repeatsKey: false,
};

function ownId(value: object): unknown {
  return 'id' in value && Object.hasOwn(value, 'id') ? value.id : undefined;
}

/** The most keys of an object that are the same key of an answer, but for letter case and invisible characters. */
function answerKeys(value: object, keys: readonly string[]): number {
  if (Array.isArray(value)) return 0;
  const counts = new Map<string, number>();
  for (const key of Object.keys(value)) {
    const name = comparableText(key);
    if (keys.includes(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

/** Patterns by their keys: a run searches every reply for the same few. */
const mentionPatterns = new Map<string, RegExp>();

/** Finds a key that is followed by a value. */
function mentionsKey(keys: readonly string[]): RegExp {
  const alternatives = keys.join('|');
  const pattern =
    mentionPatterns.get(alternatives) ?? new RegExp(`(?<!\\w)(?:${alternatives})["'”’\\s\\\\]{0,8}[:=]`, 'i');
  mentionPatterns.set(alternatives, pattern);
  return pattern;
}

/** The texts of values without an answer: a model may have written its answer as a text in a wrapper. */
function textsBeside(values: readonly JsonInText[], keys: readonly string[]): string[] {
  return values
    .filter(({ places }) => ![...places.keys()].some((part) => answerKeys(part, keys) > 0))
    .flatMap(({ places }) => [...places.keys()].flatMap(textsIn));
}

function textsIn(part: object): string[] {
  return Object.values(part).filter((inner): inner is string => typeof inner === 'string');
}

/** A test of whether an answer is in the sources. They are read when the first answer is tested. */
function quoteTest(search: AnswerSearch): (answer: object) => boolean {
  const { decisions } = search;
  let quotable: readonly ReadonlySet<string>[] | 'any' | undefined;
  return (answer) => {
    quotable ??= sourceDecisions(search);
    if (quotable === 'any') return true;
    return quotable.some((source) => decisions(answer).every((decision) => source.has(decision)));
  };
}

/**
 * What the answers in the sources decide: those that are objects, JSON in a text, or JSON in a text of such JSON. `any` where a
 * source holds an answer, or a part of one, that cannot be read: the model may have quoted it in a readable form. The same where
 * repairing what it holds could take too long.
 */
function sourceDecisions({
  keys,
  partKeys = [],
  decisions,
  sources,
}: AnswerSearch): readonly ReadonlySet<string>[] | 'any' {
  const mentions = mentionsKey([...keys, ...partKeys]);
  const repair = new Repair();
  const answers: ReadonlySet<string>[] = [];
  const texts = new Set<string>();
  const collect = (part: object) => {
    if (answerKeys(part, [...keys, ...partKeys]) > 0) answers.push(new Set(decisions(part)));
    for (const text of textsIn(part)) texts.add(text);
  };
  const open: object[] = [[...sources]];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    collect(part);
    for (const inner of Object.values(part))
      if (typeof inner === 'object' && inner !== null) open.push(inner);
  }
  // Texts that are added on the way are visited too.
  for (const text of texts) {
    const { found, isUnreadable } = looseObjects(text, mentions, repair);
    if (isUnreadable) return 'any';
    for (const { places } of found) for (const part of places.keys()) collect(part);
  }
  return repair.isUsedUp ? 'any' : answers;
}
