import { contentHash, type PromptMessage } from '../../core/index.ts';
import { valueKind } from '../checks/typed-check.ts';
import {
  ABSTENTION_TRAIT,
  type AskedItem,
  type AskedTrait,
  type JudgeQuestion,
  traitsToAsk,
  valuesText,
} from './asked.ts';
import { delimiterCode, fillSlots } from './fill-template.ts';
import { itemOrder } from './item-order.ts';
import { type JudgeProblem, PROBLEM_TEXTS, problemLine } from './judge-problem.ts';
import { judgeSchema } from './judge-schema.ts';
import { JUDGE_TEMPLATE, judgeTemplates, REPAIR_TEMPLATE } from './judge-text.ts';

export interface JudgePrompt {
  /** What is sent. */
  readonly messages: readonly PromptMessage[];
  /** What is stored: the same with every slot still marked. */
  readonly template: readonly PromptMessage[];
  readonly schema: object;
  /** Ids of the items in the order in which they are asked. */
  readonly order: readonly string[];
}

/**
 * What a judge is asked about one answer: all items in one call, in the order of this pass, and with them the abstention and the LLM traits.
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
 * prompt.order // => ['5f0c']
 * prompt.template[1].content.includes('chromosome') // => false
 * ```
 */
export function judgePrompt(
  asked: JudgeQuestion,
  part: AskedPart = { items: asked.items, traits: traitsToAsk(asked.llmTraits) },
): JudgePrompt {
  return build(judgeTemplates(asked.rules).first, asked, part, {});
}

/** What one call asks for: all of it, or a part. */
export interface AskedPart {
  readonly items: readonly AskedItem[];
  readonly traits: readonly AskedTrait[];
}

/** Asks once more for what could not be used, and for nothing else; in the order of the first time. The earlier reply is not shown: it may have been anything. */
export function repairPrompt(
  asked: JudgeQuestion,
  open: AskedPart,
  problems: readonly JudgeProblem[],
): JudgePrompt {
  // Do not repeat entries that were not asked for: they are text of a reply, perhaps of the answer, and nothing delimits them here.
  const lines = problems
    .filter(({ code }) => code !== 'extra' && code !== 'bad_entry')
    .map(problemLine)
    .join('\n');
  return build(judgeTemplates(asked.rules).repair, asked, open, { problems: lines });
}

function build(
  template: readonly PromptMessage[],
  asked: JudgeQuestion,
  part: AskedPart,
  more: Readonly<Record<string, string>>,
): JudgePrompt {
  const { question, answer, description } = asked;
  const ids = new Set(part.items.map(({ id }) => id));
  const items = itemOrder(asked.items, asked).filter(({ id }) => ids.has(id));
  const lines = {
    description: typeof description === 'string' ? JSON.stringify(description) : 'none.',
    items: lineEach(items.map(itemLine)),
    traits: lineEach(part.traits.map(traitLine)),
    ...more,
  };
  // Of question and answer alone: the code, and with it everything before the items, is the same in every pass, so that provider caches work.
  const fence = delimiterCode([question, answer]);
  return {
    messages: fillSlots(template, { question, answer, fence, ...lines }),
    template,
    schema: judgeSchema(part.traits),
    order: items.map(({ id }) => id),
  };
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
  JUDGE_TEMPLATE,
  REPAIR_TEMPLATE,
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
