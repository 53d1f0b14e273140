import { contentHash } from '../../core/canonical-json.ts';
import { argumentError } from '../../core/errors.ts';
import { strictObject, type TextRequest } from '../../core/text-request.ts';
import { createRandom, shuffle } from '../../statistics/random.ts';
import { valueKind } from '../checks/typed-check.ts';
import { type JudgeItem, VERDICTS } from '../verdict.ts';
import {
  ABSTENTION_TRAIT,
  type AskedItem,
  type AskedPart,
  type AskedTrait,
  type JudgeQuestion,
  traitsToAsk,
  valuesText,
} from './asked.ts';
import { fillPrompt, type JudgeProblem, judgeTemplates, PROBLEM_TEXTS } from './judge-text.ts';

const TYPES = { boolean: 'boolean', score: 'number', literal: 'string' } as const;
const TEXT = { type: 'string' as const };

/**
 * The JSON schema of a judge's reply, in the form that every provider's structured output takes (as `responseSchema`). Ids and names are plain text, not lists of
 * allowed values: providers compile a schema when they first see it, and this one is the same for all calls of a rubric.
 *
 * @example
 * ```ts
 * judgeSchema([]).properties.verdicts.items.required // => ['id', 'verdict', 'quotes', 'value']
 * ```
 */
export function judgeSchema(traits: readonly AskedTrait[]) {
  const kinds = [...new Set(traits.map(({ kind }) => kind))].sort();
  const values = (kinds.length === 0 ? (['boolean'] as const) : kinds).map((kind) => ({ type: TYPES[kind] }));
  return strictObject({
    verdicts: list(
      strictObject({
        id: TEXT,
        verdict: { type: 'string' as const, enum: [...VERDICTS] },
        quotes: list(TEXT),
        value: TEXT,
      }),
    ),
    traits: list(
      strictObject({
        name: TEXT,
        reason: TEXT,
        quotes: list(TEXT),
        value: values.length === 1 ? values[0]! : { anyOf: values },
      }),
    ),
  });
}

/** The schema of the `buckets` protocol: one list of texts for each bucket. */
export function bucketsSchema(buckets: readonly string[]) {
  return strictObject(Object.fromEntries(buckets.map((bucket) => [bucket, list(TEXT)])));
}

function list<T extends object>(items: T) {
  return { type: 'array' as const, items };
}

/**
 * The order in which a pass asks for the items. It follows from the seed, the pass, the question and the items, and neither from the order in which they are given, which
 * would put all required ones first, nor from the answer, so that all models' answers are judged in one order.
 *
 * Passes come in pairs: an odd pass has the order of the pass before it, reversed. Over a pair every item is in the middle on average, and each of two items comes first once.
 *
 * @example
 * ```ts
 * const items = ['a', 'b', 'c', 'd'].map((id) => ({ id, instruction: id }));
 * const ids = (pass) => itemOrder(items, { seed: 42, pass, question: 'Why?' }).map(({ id }) => id);
 * ids(0).reverse().join() === ids(1).join() // => true
 * ids(0).sort() // => ['a', 'b', 'c', 'd']
 * ```
 */
export function itemOrder<T extends JudgeItem>(
  items: readonly T[],
  { seed, pass, question }: Pick<JudgeQuestion, 'seed' | 'pass' | 'question'>,
): T[] {
  if (!(Number.isInteger(pass) && pass >= 0))
    throw argumentError(`pass is ${pass}; expected 0, 1, 2, ...`, pass);
  const byId = items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const content = contentHash([seed, Math.floor(pass / 2), question, byId.map(({ id }) => id)]);
  // A seed of its own for every question: one order for all would keep every required item in the same place of the list.
  const order = shuffle(createRandom(Number.parseInt(content.slice(0, 8), 16), 'judgeItemOrder'), byId);
  return pass % 2 === 0 ? order : order.reverse();
}

/**
 * What a judge is asked about one answer: all items in one call, in the order of this pass, and with them the abstention and the LLM traits. With the `problems` of a reply, asks once more for what could
 * not be used and for nothing else. The earlier reply is not shown: it may have been anything.
 *
 * @example
 * ```ts
 * const prompt = judgePrompt({
 *   question: 'Where is BCL2?',
 *   answer: 'On chromosome 18.',
 *   items: [{ id: '5f0c', instruction: 'States BCL2 is on chromosome 18' }],
 *   seed: 42,
 *   pass: 0,
 * });
 * prompt.messages[1].content.includes('5f0c') // => true
 * prompt.template[1].content.includes('chromosome') // => false
 * ```
 */
export function judgePrompt(
  asked: JudgeQuestion,
  part: AskedPart = { items: asked.items, traits: traitsToAsk(asked.llmTraits) },
  problems: readonly JudgeProblem[] | null = null,
): TextRequest {
  const { question, answer, description } = asked;
  const { first, repair } = judgeTemplates(asked.rules);
  const ids = new Set(part.items.map(({ id }) => id));
  const items = itemOrder(asked.items, asked).filter(({ id }) => ids.has(id));
  // Do not repeat entries that were not asked for: they are text of a reply, perhaps of the answer, and nothing delimits them here.
  const repeated = problems?.filter(({ code }) => code !== 'extra' && code !== 'bad_entry') ?? [];
  // Of question and answer alone: the code, and with it everything before the items, is the same in every pass, so that provider caches work.
  const untrusted = [question, answer];
  return fillPrompt(problems === null ? first : repair, judgeSchema(part.traits), untrusted, {
    question,
    answer,
    description: typeof description === 'string' ? JSON.stringify(description) : 'none.',
    items: lineEach(items.map(itemLine)),
    traits: lineEach(part.traits.map(traitLine)),
    problems: repeated.map(problemLine).join('\n'),
  });
}

function problemLine({ code, id, trait }: JudgeProblem): string {
  const about = id ?? trait;
  return about === null ? `- ${PROBLEM_TEXTS[code]}` : `- ${JSON.stringify(about)}: ${PROBLEM_TEXTS[code]}`;
}

/** Field by field, since an item at hand may know more than a judge may be told. */
function itemLine({ id, instruction, scope, allQuotes, check }: AskedItem): string {
  return JSON.stringify({
    id,
    instruction,
    ...(typeof scope === 'string' && { background: scope }),
    ...(allQuotes === true && { all_quotes: true }),
    ...(check !== undefined && { value: valueKind(check) }),
  });
}

function traitLine(trait: AskedTrait): string {
  const { name, description } = trait;
  return JSON.stringify({ name, description, value: valuesText(trait) });
}

function lineEach(lines: readonly string[]): string {
  return lines.length === 0 ? '(none: the list in your reply is empty)' : lines.join('\n');
}

/** The form of the judge's reply. 2: values of typed checks, reasons and quotes of traits, one more request for a quote that was not found. */
export const JUDGE_PROTOCOL = 2;

/** Changes when the wording of the judge's prompt changes: two results under one hash come from one instrument. Items, traits, question and answer are not part of it. */
export const JUDGE_PROMPT_HASH: string = contentHash([
  JUDGE_PROTOCOL,
  judgeTemplates().first,
  judgeTemplates().repair,
  PROBLEM_TEXTS,
  judgeSchema([ABSTENTION_TRAIT]),
  traitLine(ABSTENTION_TRAIT),
  itemLine({ id: '', instruction: '', scope: '', allQuotes: true, check: { number: 0 } }),
]).slice(0, 16);

/**
 * The hash of the prompt with rules of the user's own; without them, `JUDGE_PROMPT_HASH`.
 *
 * @example
 * ```ts
 * judgePromptHash() === JUDGE_PROMPT_HASH // => true
 * judgePromptHash('You are a nephrologist.') === JUDGE_PROMPT_HASH // => false
 * ```
 */
export function judgePromptHash(rules: string | null = null): string {
  if (rules === null) return JUDGE_PROMPT_HASH;
  return contentHash([JUDGE_PROMPT_HASH, judgeTemplates(rules).first]).slice(0, 16);
}
