import { contentHash, type PromptMessage } from '../../core/index.ts';
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
import { JUDGE_TEMPLATE, REPAIR_TEMPLATE } from './judge-text.ts';

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
export function judgePrompt(asked: JudgeQuestion): JudgePrompt {
  return build(JUDGE_TEMPLATE, asked, itemOrder(asked.items, asked), traitsToAsk(asked.llmTraits), {});
}

/** Asks once more for what could not be used, and for nothing else; in the order of the first time. The earlier reply is not shown: it may have been anything. */
export function repairPrompt(
  asked: JudgeQuestion,
  open: { readonly items: readonly AskedItem[]; readonly traits: readonly AskedTrait[] },
  problems: readonly JudgeProblem[],
): JudgePrompt {
  const ids = new Set(open.items.map(({ id }) => id));
  const items = itemOrder(asked.items, asked).filter(({ id }) => ids.has(id));
  // Do not repeat entries that were not asked for: they are text of a reply, perhaps of the answer, and nothing delimits them here.
  const lines = problems
    .filter(({ code }) => code !== 'extra' && code !== 'bad_entry')
    .map(problemLine)
    .join('\n');
  return build(REPAIR_TEMPLATE, asked, items, open.traits, { problems: lines });
}

function build(
  template: readonly PromptMessage[],
  { question, answer, description }: JudgeQuestion,
  items: readonly AskedItem[],
  traits: readonly AskedTrait[],
  more: Readonly<Record<string, string>>,
): JudgePrompt {
  const lines = {
    description: typeof description === 'string' ? JSON.stringify(description) : 'none.',
    items: lineEach(items.map(itemLine)),
    traits: lineEach(traits.map(traitLine)),
    ...more,
  };
  const fence = delimiterCode([question, answer, ...Object.values(lines)]);
  return {
    messages: fillSlots(template, { question, answer, fence, ...lines }),
    template,
    schema: judgeSchema(traits),
    order: items.map(({ id }) => id),
  };
}

/** Field by field, since an item at hand may know more than a judge may be told. */
function itemLine({ id, instruction, scope, allQuotes }: AskedItem): string {
  return JSON.stringify({
    id,
    instruction,
    ...(typeof scope === 'string' && { background: scope }),
    ...(allQuotes === true && { all_quotes: true }),
  });
}

function traitLine(trait: AskedTrait): string {
  const { name, description } = trait;
  return JSON.stringify({ name, description, value: valuesText(trait) });
}

function lineEach(lines: readonly string[]): string {
  return lines.length === 0 ? '(none: the list in your reply is empty)' : lines.join('\n');
}

/** Changes when the wording of the judge's prompt changes: two results under one hash come from one instrument. Items, traits, question and answer are not part of it. */
export const JUDGE_PROMPT_HASH: string = contentHash([
  JUDGE_TEMPLATE,
  REPAIR_TEMPLATE,
  PROBLEM_TEXTS,
  judgeSchema([ABSTENTION_TRAIT]),
  traitLine(ABSTENTION_TRAIT),
  itemLine({ id: '', instruction: '', scope: '', allQuotes: true }),
]).slice(0, 16);
