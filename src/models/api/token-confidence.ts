import type { Label } from '../../core/label.ts';
import type { TextSpan } from '../../core/read-json.ts';
import { confidenceFromLogprobs, type LabelCandidate } from '../../statistics/methods/confidence.ts';
import type { ModelReply, ReplyToken } from './model-reply.ts';

/**
 * The probability of the label in a reply by its tokens: mass of the label / mass of all labels seen at its place. Null where the reply has no tokens, the place of
 * the label is not certain, or the labels seen cover too little.
 *
 * @param span the part of the reply with the answer; null for all of it.
 */
export function tokenConfidence(
  { text, tokens }: Pick<ModelReply, 'text' | 'tokens'>,
  span: TextSpan | null,
  prediction: Label,
  labels: readonly Label[],
): number | null {
  if (!tokens) return null;
  // Servers also list what they cut from the text: hidden reasoning and blanks before it, the token that ends the reply.
  const start = tokens
    .map((token) => token.text)
    .join('')
    .lastIndexOf(text);
  const inText = labelPlace(text, span);
  if (start < 0 || inText === null) return null;
  const place = start + inText;
  const { confidence } = confidenceFromLogprobs(candidatesAt(tokens, place, labels), spelled(prediction));
  // Rounded logarithms can add up to a hair more than 1.
  return confidence === null ? null : Math.min(1, confidence);
}

/** A quote that is not escaped: a text in the reply that speaks of a prediction has its quotes escaped. */
const PREDICTION = /(?<!\\)"prediction"\s*:\s*("?)/g;

/** Where the label begins; null where the answer has no such field, or several. */
function labelPlace(text: string, span: TextSpan | null): number | null {
  const { start, end } = span ?? { start: 0, end: text.length };
  const found = [...text.slice(start, end).matchAll(PREDICTION)];
  return found.length === 1 ? start + found[0]!.index + found[0]![0].length : null;
}

/**
 * The labels that could have been written at a place. Along the reply's own tokens, every other token that leaves one label only adds the probability of the
 * path to it: what would have followed it is not known, and is taken as certain. The reply's own label is followed to its end.
 */
function candidatesAt(
  tokens: readonly ReplyToken[],
  place: number,
  labels: readonly Label[],
): LabelCandidate[] {
  const names = labels.map(spelled);
  const candidates: LabelCandidate[] = [];
  let at = 0;
  let [before, path] = ['', 0];
  for (const token of tokens) {
    const ends = at + token.text.length;
    const skipped = Math.max(0, place - at);
    at = ends;
    // Tokens before the label; one that ends where it begins decides nothing.
    if (ends <= place) continue;
    for (const other of token.others) {
      const [only, ...more] = fitting(before + withoutOpening(other.text, token.text, skipped), names);
      if (only !== undefined && more.length === 0)
        candidates.push({ label: only, logprob: path + other.logprob });
    }
    before += token.text.slice(skipped);
    path += token.logprob;
    const [own, ...more] = fitting(before, names);
    if (own === undefined) return [];
    if (more.length === 0 && isWhole(before, own)) return [...candidates, { label: own, logprob: path }];
  }
  return [];
}

/** Another token in place of one that begins before the label: it has to begin with the same quote or blank. */
function withoutOpening(other: string, own: string, skipped: number): string {
  return other.startsWith(own.slice(0, skipped)) ? other.slice(skipped) : NOTHING;
}

/** No label begins with it. */
const NOTHING = '\u0000';
const END = /["',}\]\s]/;

/** The labels that a text can still become; a text with an end is one label or none. */
function fitting(text: string, names: readonly string[]): string[] {
  const end = text.search(END);
  const read = (end < 0 ? text : text.slice(0, end)).toLowerCase();
  return names.filter((name) => (end < 0 ? name.startsWith(read) : name === read));
}

function isWhole(text: string, name: string): boolean {
  return text.length >= name.length;
}

function spelled(label: Label): string {
  return String(label).toLowerCase();
}
