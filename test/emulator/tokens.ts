import { whatIsAsked } from './asked.ts';
import type { Question } from './wire-format.ts';

/** The probability of every token that the emulated model writes; at the place of a label the other labels share the rest. */
export const OWN = 0.8;
const OTHERS = 0.19;

/**
 * A text in tokens of at most four letters, each with what could have been in its place: where a token begins a label, the beginnings of the other labels;
 * elsewhere nothing else.
 */
export function tokensOf(text: string, question: Question) {
  const { labels } = whatIsAsked(question, []);
  const names = labels.map(String);
  const pieces = text.match(/[A-Za-z0-9]{1,4}|[^A-Za-z0-9]+/g) ?? [];
  return pieces.map((token, i) => {
    const isLabel = names.some((name) => pieces.slice(i, i + Math.ceil(name.length / 4)).join('') === name);
    const others = isLabel ? names.map((name) => name.slice(0, 4)).filter((first) => first !== token) : [];
    const own = { token, logprob: isLabel ? Math.log(OWN) : 0, bytes: [...Buffer.from(token)] };
    const listed = others.map((other) => ({
      token: other,
      logprob: Math.log(OTHERS / others.length),
      bytes: [...Buffer.from(other)],
    }));
    return { ...own, top_logprobs: [own, ...listed].slice(0, question.topLogprobs) };
  });
}
