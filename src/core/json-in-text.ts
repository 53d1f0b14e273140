import { jsonrepair } from 'jsonrepair';
import { bracketSpans } from './bracket-spans.ts';
import { withoutReasoning } from './reasoning-tags.ts';

type FoundJson =
  | { readonly ok: true; readonly value: object; readonly repaired: boolean }
  | { readonly ok: false; readonly reason: 'empty' | 'no_json' | 'cut_off' | 'malformed' };

/** Longer replies are not repaired: the time of a repair grows with the square of the length, and answers are far shorter. */
const MAX_CHARACTERS_REPAIRED = 20_000;
/** How many spans of one reply are tried, starting from the last. */
const MAX_CANDIDATES = 50;

/**
 * The object or array that a reply consists of, or the one found in it by a single repair pass, which removes reasoning and surrounding prose, prefers a fenced block, and fixes
 * commas, quotes, comments and Python literals. Of several candidates the last that is `wanted` counts, because prose may contain a draft. A truncated value is never completed.
 */
export function jsonInText(text: string, wanted: (value: object) => boolean): FoundJson {
  const plain = parse(text);
  if (isObject(plain)) return { ok: true, value: plain, repaired: false };
  // A JSON string may contain the reply, encoded twice.
  return repair(typeof plain === 'string' ? plain : text, wanted);
}

function repair(reply: string, wanted: (value: object) => boolean): FoundJson {
  if (reply.trim() === '') return { ok: false, reason: 'empty' };
  const { text, unclosed } = withoutReasoning(reply);
  const { spans, fault } = bracketSpans(text);
  if (fault !== null) return { ok: false, reason: fault };
  if (spans.length === 0) return { ok: false, reason: 'no_json' };

  // In reasoning that never ended, only a span at the end of the reply can be the answer: anything before is a draft.
  const eligible = unclosed ? spans.slice(-1).filter(({ end }) => /^[\s`]*$/.test(text.slice(end))) : spans;
  const [fenced, bare] = [eligible.filter((span) => span.fenced), eligible.filter((span) => !span.fenced)];
  let repairable = MAX_CHARACTERS_REPAIRED;
  for (const { start, end, clear } of [...bare, ...fenced].slice(-MAX_CANDIDATES).reverse()) {
    const candidate = text.slice(start, end);
    let value = parse(candidate);
    if (value === undefined && clear && candidate.length <= repairable) {
      repairable -= candidate.length;
      value = repaired(candidate);
    }
    if (isObject(value) && wanted(value)) return { ok: true, value, repaired: true };
  }
  return { ok: false, reason: 'malformed' };
}

function repaired(text: string): unknown {
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
