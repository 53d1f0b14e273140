import { jsonrepair } from 'jsonrepair';
import { bracketSpans } from './bracket-spans.ts';
import { withoutReasoning } from './reasoning-tags.ts';

type FoundJson =
  | { readonly ok: true; readonly value: object; readonly repaired: boolean }
  | { readonly ok: false; readonly reason: 'empty' | 'no_json' | 'cut_off' | 'malformed' };

/** More than this of a reply is not mended, as the mender's time grows with the square of the length; answers are far shorter. */
const MOST_CHARACTERS_MENDED = 20_000;
/** How many stretches of one reply are looked at, from the last. */
const MOST_CANDIDATES = 50;

/**
 * The object or array that a reply consists of, or else the one found in it by a single pass of repair: reasoning taken out, a fenced block preferred, prose around the
 * brackets cut away, commas, quotes, comments and Python's literals mended. Of several, the last that is `wanted` counts, since prose may hold a draft. What was
 * cut off is never completed.
 */
export function jsonInText(text: string, wanted: (value: object) => boolean): FoundJson {
  const plain = parse(text);
  if (isObject(plain)) return { ok: true, value: plain, repaired: false };
  // A text in JSON may hold the reply, written as JSON twice.
  return repair(typeof plain === 'string' ? plain : text, wanted);
}

function repair(reply: string, wanted: (value: object) => boolean): FoundJson {
  if (reply.trim() === '') return { ok: false, reason: 'empty' };
  const { text, unclosed } = withoutReasoning(reply);
  const { spans, fault } = bracketSpans(text);
  if (fault !== null) return { ok: false, reason: fault };
  if (spans.length === 0) return { ok: false, reason: 'no_json' };

  // In reasoning that never ended only what ends the reply can be the answer: anything before is a draft.
  const eligible = unclosed ? spans.slice(-1).filter(({ end }) => /^[\s`]*$/.test(text.slice(end))) : spans;
  const [fenced, bare] = [eligible.filter((span) => span.fenced), eligible.filter((span) => !span.fenced)];
  let mendable = MOST_CHARACTERS_MENDED;
  for (const { start, end, clear } of [...bare, ...fenced].slice(-MOST_CANDIDATES).reverse()) {
    const stretch = text.slice(start, end);
    let value = parse(stretch);
    if (value === undefined && clear && stretch.length <= mendable) {
      mendable -= stretch.length;
      value = mend(stretch);
    }
    if (isObject(value) && wanted(value)) return { ok: true, value, repaired: true };
  }
  return { ok: false, reason: 'malformed' };
}

function mend(text: string): unknown {
  try {
    return parse(jsonrepair(text));
  } catch {
    return undefined;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
