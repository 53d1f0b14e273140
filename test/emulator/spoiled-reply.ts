import type { Answer, AnswerValue } from './answers.ts';
import { pick } from './chance.ts';
import type { Reply } from './wire-format.ts';

/** No answers can be read from it, or not without guessing. */
export const MALFORMED = ['missing_comma', 'prose', 'cut', 'wrong_types', 'no_list'] as const;
/** The answers are all there, with something around them or between them. */
export const REPAIRABLE = ['fenced', 'leading_prose', 'think_tags', 'trailing_commas'] as const;
/** Answers to every case, and more than one to each: none of them counts. */
export const CONTRADICTORY = ['two_answers', 'duplicate_keys'] as const;
/** Good JSON that does not answer for every case. */
export const PARTIAL = ['last_missing', 'unknown_id'] as const;

export type MalformedKind = (typeof MALFORMED)[number] | (typeof CONTRADICTORY)[number];
export type RepairableKind = (typeof REPAIRABLE)[number];
export type PartialKind = (typeof PARTIAL)[number];

type Said = Pick<Reply, 'text' | 'value' | 'finish'>;

const stop = (text: string, value: unknown = null): Said => ({ text, value, finish: 'stop' });
const half = (text: string) => text.slice(0, Math.ceil(text.length / 2));

export function plain(value: unknown): Said {
  return stop(JSON.stringify(value), value);
}

export function truncated(value: AnswerValue): Said {
  return { text: half(JSON.stringify(value)), value: null, finish: 'length' };
}

export const empty: Said = stop('');

export const refusal: Said = { text: "I'm sorry, I can't help with that.", value: null, finish: 'refusal' };

export function malformed(value: AnswerValue, kinds: readonly MalformedKind[], prompt: string): Said {
  const text = JSON.stringify(value);
  const makers: Record<MalformedKind, () => Said> = {
    missing_comma: () => stop(text.replace(',"abstained"', ' "abstained"')),
    prose: () => stop('Looking at the values I would rather discuss them with a colleague first.'),
    cut: () => stop(half(text)),
    wrong_types: () => plain(mapAnswers(value, wrongTypes)),
    two_answers: () => stop(`${text}\n\nOr rather:\n${JSON.stringify(mapAnswers(value, contradicted))}`),
    duplicate_keys: () => stop(text.replaceAll('"confidence"', '"abstained":true,"confidence"')),
    no_list: () => plain('results' in value ? { results: byId(value.results) } : [value]),
  };
  return makers[pick(kinds, 'malformed kind', prompt)]();
}

export function repairable(value: AnswerValue, kinds: readonly RepairableKind[], prompt: string): Said {
  const text = JSON.stringify(value);
  const words: Record<RepairableKind, () => string> = {
    fenced: () => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``,
    leading_prose: () => `Here is my assessment:\n\n${text}`,
    think_tags: () => `<think>\nThe values point one way {or another}.\n</think>\n${text}`,
    trailing_commas: () => text.replace(/\}/g, ',}').replace(/\]/g, ',]'),
  };
  return stop(words[pick(kinds, 'repairable kind', prompt)](), value);
}

export function partial(value: AnswerValue, kinds: readonly PartialKind[], prompt: string): Said {
  const results = 'results' in value ? value.results : [value];
  const makers: Record<PartialKind, () => readonly Answer[]> = {
    last_missing: () => results.slice(0, -1),
    // It is not known which case the answer is to.
    unknown_id: () => results.map((answer, i) => (i === 0 ? { ...answer, id: 'case_0' } : answer)),
  };
  return plain({ results: makers[pick(kinds, 'partial kind', prompt)]() });
}

function mapAnswers(value: AnswerValue, change: (answer: Answer) => object): object {
  return 'results' in value ? { results: value.results.map(change) } : change(value);
}

function wrongTypes(answer: Answer): object {
  return { ...answer, prediction: { label: answer.prediction }, abstained: 'maybe', confidence: 'high' };
}

function contradicted(answer: Answer): Answer {
  return { ...answer, abstained: !answer.abstained };
}

function byId(results: readonly Answer[]): object {
  return Object.fromEntries(results.map(({ id, ...answer }) => [id ?? '', answer]));
}
