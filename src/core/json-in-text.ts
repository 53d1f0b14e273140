import { jsonrepair } from 'jsonrepair';
import { type ReadJson, readJson, type TextSpan } from './read-json.ts';
import { withoutReasoning } from './text-request.ts';

/** An object or a list in a reply. */
export interface JsonInText extends Pick<ReadJson, 'places'> {
  readonly value: object;
  /** Where the value, or an object or list inside it, is in the reply; null where a repair or an encoding moved it. */
  findSpan(part: object): TextSpan | null;
}

interface FoundJson {
  /** In the order of the reply. */
  readonly values: readonly JsonInText[];
  /** Whether the reply is one value and nothing else; a code fence around it, and reasoning before it, count as nothing. */
  readonly isWhole: boolean;
  /** Whether the reply is anything but strict JSON. */
  readonly repaired: boolean;
  /** The rest of the reply: other text, and whatever could not be read. */
  readonly rest: string;
  /** Why values are missing, or why there are none. */
  readonly fault: 'empty' | 'no_json' | 'cut_off' | 'malformed' | null;
}

/** Longer texts are not repaired: the time of a repair grows with the square of the length, and answers are far shorter. */
const MAX_CHARACTERS_REPAIRED = 20_000;
/** A reply with more objects than this is not read: an answer among them could be overlooked. */
export const MAX_OBJECTS = 1000;
/** How often a reply may be written as a JSON string inside a JSON string. */
const MAX_ENCODINGS = 3;

const FENCE_BEFORE = /^\s*(?:(?:`{3,}|~{3,})[\w-]*\s*)?$/;
const FENCE_AFTER = /^\s*(?:(?:`{3,}|~{3,})\s*)?$/;

/**
 * The objects and lists of a reply. JSON in prose and in code fences is found, and commas, quotes, comments and Python literals are
 * repaired. A truncated value is never completed.
 *
 * @example
 * ```ts
 * const { values, isWhole } = jsonInText('So: {"a": 1}');
 * [values[0].value, isWhole] // => [{ a: 1 }, false]
 * ```
 */
export function jsonInText(reply: string): FoundJson {
  let text = reply;
  for (let encodings = 0; encodings <= MAX_ENCODINGS; encodings++) {
    const place = encodings === 0 ? 0 : null;
    const visible = withoutReasoning(text);
    const read = readJson(visible);
    if (isObjectRead(read)) {
      const repaired = encodings > 0 || visible !== text;
      return { values: [inText(read, place)], isWhole: true, repaired, rest: '', fault: null };
    }
    if (typeof read?.value !== 'string') return readParts(visible, place);
    // A JSON string may contain the reply, encoded twice.
    text = read.value;
  }
  return { values: [], isWhole: false, repaired: true, rest: text, fault: 'malformed' };
}

function readParts(text: string, place: 0 | null): FoundJson {
  const none = { values: [], isWhole: false, repaired: true, rest: text };
  if (text.trim() === '') return { ...none, fault: 'empty' };
  const { spans, fault } = bracketSpans(text);
  if (spans.length === 0) return { ...none, fault: fault ?? 'no_json' };
  if (spans.length > MAX_OBJECTS) return { ...none, fault: 'malformed' };

  const repair = new Repair();
  const values: JsonInText[] = [];
  const rest: string[] = [];
  let end = 0;
  for (const span of spans) {
    const candidate = text.slice(span.start, span.end);
    const strict = readJson(candidate);
    const read = strict ?? (span.clear ? repair.read(candidate) : undefined);
    if (!isObjectRead(read)) continue;
    values.push(inText(read, place === null || strict === undefined ? null : span.start));
    rest.push(text.slice(end, span.start));
    end = span.end;
  }
  const [before = ''] = rest;
  const after = text.slice(end);
  const isWhole =
    values.length === 1 && fault === null && FENCE_BEFORE.test(before) && FENCE_AFTER.test(after);
  return {
    values,
    isWhole,
    repaired: true,
    rest: [...rest, after].join(' '),
    fault: fault ?? (values.length === 0 ? 'malformed' : null),
  };
}

/** `place` is where in the reply the JSON begins. */
function inText({ value, places }: ObjectRead, place: number | null): JsonInText {
  return {
    value,
    places,
    findSpan: (part) => {
      const span = places.get(part);
      return place === null || span === undefined
        ? null
        : { start: place + span.start, end: place + span.end };
    },
  };
}

/** Repairs texts until the allowance for the time that repairs take is used up. */
export class Repair {
  #allowance = MAX_CHARACTERS_REPAIRED;
  #isUsedUp = false;

  /** Whether a text was left as it is because repairing it could take too long. */
  get isUsedUp(): boolean {
    return this.#isUsedUp;
  }

  read(text: string): ReadJson | undefined {
    this.#isUsedUp ||= text.length > this.#allowance;
    if (text.length > this.#allowance) return undefined;
    this.#allowance -= text.length;
    try {
      return readJson(jsonrepair(text));
    } catch {
      return undefined;
    }
  }
}

export interface ObjectRead extends ReadJson {
  readonly value: object;
}

function isObjectRead(read: ReadJson | undefined): read is ObjectRead {
  return typeof read?.value === 'object' && read.value !== null;
}

/** How often a text is unescaped. */
const MAX_ESCAPES = 4;
/** Only a text with one of these characters can hold an object, escaped or not. */
const MAY_HOLD_OBJECT = /[{｛﹛\\]|&#/;
/** An object without another in it. */
const FLAT_OBJECT = /\{[^{}]*\}/g;
/** An object, or the beginning of one up to the next brace. */
const FRAGMENT = /\{[^{}]*\}?/g;

/**
 * The objects and lists that a text holds in any form: as JSON, escaped, with typographic quotes, or cut off and completed. What is
 * not JSON is read only if it `mentions` a key that matters; `isUnreadable` says whether some of that could not be read.
 */
export function looseObjects(
  text: string,
  mentions: RegExp,
  repair: Repair,
): { readonly found: readonly ObjectRead[]; readonly isUnreadable: boolean } {
  const found: ObjectRead[] = [];
  const isRead = (candidate: string): boolean => {
    const read = readJson(candidate) ?? (mentions.test(candidate) ? repair.read(candidate) : undefined);
    if (!isObjectRead(read)) return false;
    found.push(read);
    return true;
  };
  const readOut = (fragment: string) => (mentions.test(fragment) && isRead(fragment) ? ' ' : fragment);
  let rest = MAY_HOLD_OBJECT.test(text) ? text : '';
  for (let escapes = 0; rest !== '' && escapes <= MAX_ESCAPES; escapes++) {
    const parts: string[] = [];
    let end = 0;
    for (const span of bracketSpans(rest).spans) {
      if (!isRead(rest.slice(span.start, span.end))) continue;
      parts.push(rest.slice(end, span.start));
      end = span.end;
    }
    rest = [...parts, rest.slice(end)].join(' ');
    rest = rest.replace(FLAT_OBJECT, readOut);
    const loosened = loosen(rest);
    if (loosened === rest) break;
    rest = loosened;
  }
  let isUnreadable = mentionsAfterInner(rest, mentions);
  // Only now: at an earlier level, the beginning of a long object would have been taken for all of it.
  rest = rest.replace(FRAGMENT, readOut);
  for (const [fragment] of rest.matchAll(FRAGMENT)) isUnreadable ||= mentions.test(fragment);
  return { found, isUnreadable };
}

/** Whether an object mentions a key after an object inside it, where no fragment begins. */
function mentionsAfterInner(text: string, mentions: RegExp): boolean {
  let depth = 0;
  for (const [piece] of text.matchAll(/[{}][^{}]*/g)) {
    const isEnd = piece.startsWith('}');
    depth = Math.max(0, depth + (isEnd ? -1 : 1));
    if (isEnd && depth > 0 && mentions.test(piece)) return true;
  }
  return false;
}

const BLANKS: Readonly<Record<string, string>> = { n: '\n', r: '\n', t: '\t' };

/** Removes one level of escapes, and what else disguises JSON: typographic and full-width characters, invisible ones. */
function loosen(text: string): string {
  return withoutDisguise(text)
    .replace(/&quot;/gi, '"')
    .replace(/&#(\d{2,5});/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/(?:\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|&#x([0-9a-f]{2,4});)/gi, (_, ...codes: string[]) =>
      String.fromCharCode(Number.parseInt(codes.slice(0, 3).join(''), 16)),
    )
    .replace(/\\(["'\\/nrt])/g, (_, character: string) => BLANKS[character] ?? character)
    .replace(/[“”„‟«»]/g, '"')
    .replace(/[‘’‚‛´`]/g, "'");
}

/**
 * A scalar in the form in which quotes are compared; empty for anything else.
 *
 * @example
 * ```ts
 * comparableText(' Ｐre\u200bsent') // => 'present'
 * comparableText(false) // => 'false'
 * ```
 */
export function comparableText(value: unknown): string {
  if (typeof value === 'string') return withoutDisguise(value).trim().toLowerCase();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Without invisible characters and compatibility forms. */
function withoutDisguise(text: string): string {
  return text.normalize('NFKC').replace(/\p{Cf}/gu, '');
}

/** The text from an opening bracket to the bracket that closes it. */
interface Span {
  readonly start: number;
  readonly end: number;
  /** False when the end of a quoted text, or an intended value, can only be guessed. */
  readonly clear: boolean;
}

/** Prose has brackets too ("an eGFR in [45, 60)"): after the beginning, a bracket counts only when what follows looks like an object or a list of objects. */
const STARTS = /(?:\[\s*){0,8}(?:\{\s*(?:["'}]|\/[/*]|[A-Za-z_$][\w$]*\s*:)|(?<=\[\s*)")/y;

/** What may follow a quoted text, so that its end is certain. */
const AFTER_TEXT = /\s*(?:[,:{}[\]"']|\/[/*])/y;

/**
 * The outermost bracketed spans of a text, in order. Brackets in quoted text and in comments do not count. Nothing is read
 * after a bracket that is not closed.
 */
export function bracketSpans(text: string): {
  /** The spans before the fault, where there is one. */
  readonly spans: readonly Span[];
  readonly fault: 'cut_off' | 'malformed' | null;
} {
  const spans: Span[] = [];
  let beginning = text.search(/\S|$/);
  const mark = /```[\w-]*\s*|[{[]/g;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const start = found.index;
    if (found[0].startsWith('`')) {
      beginning = mark.lastIndex;
    } else if (start === beginning || matchesAt(STARTS, text, start)) {
      const closed = close(text, start);
      if (typeof closed === 'string') return { spans, fault: closed };
      spans.push({ start, ...closed });
      mark.lastIndex = closed.end;
    }
  }
  return { spans, fault: null };
}

/** Where the bracket at `start` is closed. */
function close(text: string, start: number): 'cut_off' | 'malformed' | Pick<Span, 'end' | 'clear'> {
  const expected: string[] = [];
  let clear = true;
  const mark = /[{}[\]"']|\/[/*]|[`´‘’“”&\\(]|(?:[-.:]|\d[eE][+-]?)(?=\s*[,}\]])/g;
  mark.lastIndex = start;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const [token] = found;
    if (token === '{') expected.push('}');
    else if (token === '[') expected.push(']');
    else if (token === '}' || token === ']') {
      if (expected.pop() !== token) return 'malformed';
      if (expected.length === 0) return { end: mark.lastIndex, clear };
    } else if (token === '"' || token === "'" || token === '//' || token === '/*') {
      const end = findEnd(token, text, mark.lastIndex);
      if (end === null) break;
      const isComment = token.length === 2;
      // A comment may hold an object of its own, which a repair would drop.
      if (isComment ? text.slice(found.index, end).includes('{') : !matchesAt(AFTER_TEXT, text, end))
        clear = false;
      mark.lastIndex = end;
    } else {
      // Typographic quotes, a function call, a missing value or an unfinished number: a repair would turn each into something, perhaps not what was meant.
      clear = false;
    }
  }
  // After unclear quotes, the end may only appear to be missing.
  return clear ? 'cut_off' : 'malformed';
}

const ENDS = { '"': /\\.|"/gs, "'": /\\.|'/gs, '//': /\n/g, '/*': /\*\//g };

/** Where a quoted text or a comment ends; null where it does not. */
function findEnd(opener: keyof typeof ENDS, text: string, from: number): number | null {
  const mark = ENDS[opener];
  mark.lastIndex = from;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    if (!found[0].startsWith('\\')) return mark.lastIndex;
  }
  return null;
}

function matchesAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at;
  return sticky.test(text);
}
