import { jsonrepair } from 'jsonrepair';
import { bracketSpans } from './bracket-spans.ts';
import { type FinalPhrase, finalPhrase } from './final-answer.ts';
import { readJson, type TextSpan } from './read-json.ts';
import { withoutReasoning } from './reasoning-tags.ts';

/** An object or a list in a reply. */
export interface JsonInText {
  readonly value: object;
  /** Whether the words before it call it the answer. */
  readonly phrase: FinalPhrase;
  /** Where the value, or an object or list inside it, is in the reply; null where a repair or an encoding moved it. */
  spanOf(part: object): TextSpan | null;
  /** Whether the value, or an object inside it, has a key twice. */
  repeatsKey(part: object): boolean;
}

type FoundJson =
  | { readonly ok: true; readonly found: readonly JsonInText[]; readonly repaired: boolean }
  | { readonly ok: false; readonly reason: 'empty' | 'no_json' | 'cut_off' | 'malformed' };

/** Longer replies are not repaired: the time of a repair grows with the square of the length, and answers are far shorter. */
const MAX_CHARACTERS_REPAIRED = 20_000;
/** A reply with more objects than this is not read: an answer among them could be overlooked. */
const MAX_OBJECTS = 1000;

/**
 * The object or list that a reply consists of; otherwise all those in it that are `wanted`, in their order, found by a single repair pass, which removes reasoning and
 * surrounding prose, and fixes commas, quotes, comments and Python literals. A truncated value is never completed.
 */
export function jsonInText(text: string, wanted: (value: object) => boolean): FoundJson {
  const whole = readJson(text);
  if (isObject(whole?.value))
    return { ok: true, found: [inText(whole.value, whole.places, 0, 'none')], repaired: false };
  // A JSON string may contain the reply, encoded twice.
  return typeof whole?.value === 'string' ? repair(whole.value, wanted, null) : repair(text, wanted, 0);
}

function repair(reply: string, wanted: (value: object) => boolean, offset: 0 | null): FoundJson {
  if (reply.trim() === '') return { ok: false, reason: 'empty' };
  const { text, unclosed } = withoutReasoning(reply);
  const { spans, fault } = bracketSpans(text);
  if (fault !== null) return { ok: false, reason: fault };
  if (spans.length === 0) return { ok: false, reason: 'no_json' };
  if (spans.length > MAX_OBJECTS) return { ok: false, reason: 'malformed' };

  // In reasoning that never ended, only a span at the end of the reply can be the answer: anything before is a draft.
  const eligible = unclosed ? spans.slice(-1).filter(({ end }) => /^[\s`]*$/.test(text.slice(end))) : spans;
  const found: JsonInText[] = [];
  let repairable = MAX_CHARACTERS_REPAIRED;
  let before = 0;
  for (const { start, end, clear } of eligible) {
    const candidate = text.slice(start, end);
    let read = readJson(candidate);
    const isRepaired = read === undefined;
    if (isRepaired && clear && candidate.length <= repairable) {
      repairable -= candidate.length;
      read = repaired(candidate);
    }
    if (isObject(read?.value) && wanted(read.value)) {
      const at = offset === null || isRepaired ? null : offset + start;
      found.push(inText(read.value, read.places, at, finalPhrase(text.slice(before, start))));
    }
    before = end;
  }
  return found.length > 0 ? { ok: true, found, repaired: true } : { ok: false, reason: 'malformed' };
}

/** `at` is where in the reply the JSON begins. */
function inText(
  value: object,
  places: NonNullable<ReturnType<typeof readJson>>['places'],
  at: number | null,
  phrase: FinalPhrase,
): JsonInText {
  return {
    value,
    phrase,
    spanOf: (part) => {
      const place = places.get(part);
      return at === null || place === undefined ? null : { start: at + place.start, end: at + place.end };
    },
    repeatsKey: (part) => places.get(part)?.repeatsKey ?? false,
  };
}

function repaired(text: string): ReturnType<typeof readJson> {
  try {
    return readJson(jsonrepair(text));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
