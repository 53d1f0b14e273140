import { comparableText, contentHash, type PromptMessage } from '../../core/index.ts';
import type { MetricRubricTrait } from '../traits/metric-trait.ts';
import { BUCKETS, type Bucket } from '../traits/trait.ts';
import type { JudgeQuestion } from './asked.ts';
import { bucketsSchema, type JudgePrompt } from './judge-prompt.ts';
import { judgeObject } from './judge-reply.ts';
import TEXT from './judge-text.json' with { type: 'json' };
import { delimiterCode, FENCED, fillSlots } from './judge-text.ts';

export type BucketsTrait = Pick<
  MetricRubricTrait,
  'description' | 'evaluationMode' | 'tpInstructions' | 'tnInstructions' | 'requiredBuckets'
>;

/**
 * The second protocol: the judge fills the lists of one trait itself. For comparison with results that were made so; a score then depends on how finely the judge cuts the answer,
 * which is why it is not the first.
 */
export function bucketsPrompt(
  asked: Pick<JudgeQuestion, 'question' | 'answer'> & { readonly trait: BucketsTrait },
): Omit<JudgePrompt, 'order'> {
  const { question, answer, trait } = asked;
  const template = TEMPLATES[trait.evaluationMode];
  const lines = {
    description: trait.description === null ? 'none.' : JSON.stringify(trait.description),
    required: trait.tpInstructions.map((line) => JSON.stringify(line)).join('\n'),
    forbidden: trait.tnInstructions.map((line) => JSON.stringify(line)).join('\n'),
  };
  const fence = delimiterCode([question, answer, ...Object.values(lines)]);
  return {
    messages: fillSlots(template, { question, answer, fence, ...lines }),
    template,
    schema: bucketsSchema([...trait.requiredBuckets()]),
  };
}

const TEMPLATES = { tp_only: template('tp_only'), full_matrix: template('full_matrix') };

function template(mode: keyof typeof TEXT.buckets): PromptMessage[] {
  const { rules, form } = TEXT.buckets[mode];
  const system = [
    `You are an evaluator. ${rules.join('\n')}`,
    TEXT.data,
    'Excerpts are copied character for character from the answer.',
    `Reply with JSON only, with no other text, in this form:\n${form}`,
  ];
  const user = [
    FENCED,
    'Background, not itself something to look for: {{description}}',
    'Required items, one on a line:\n{{required}}',
    ...(mode === 'full_matrix' ? ['Forbidden items, one on a line:\n{{forbidden}}'] : []),
    TEXT.closing,
  ];
  return [
    { role: 'system', content: system.join('\n\n') },
    { role: 'user', content: user.join('\n\n') },
  ];
}

/** Changes when the wording of this protocol changes. */
export const BUCKETS_PROMPT_HASH: string = contentHash(TEMPLATES).slice(0, 16);

type ParsedBuckets =
  | { readonly ok: true; readonly lists: Readonly<Record<Bucket, readonly string[]>> }
  | { readonly ok: false; readonly reason: string };

/** What the lists of a trait decide: which excerpt is in which of them. */
function decisionsIn(value: object): string[] {
  return Object.entries(value).flatMap(([bucket, excerpts]) =>
    Array.isArray(excerpts)
      ? excerpts.map((excerpt) => JSON.stringify([bucket, comparableText(excerpt)]))
      : [],
  );
}

/**
 * Reads the lists that a judge filled. All of the `required` ones must be there and hold nothing but texts; a bucket that the trait does not have is empty, whatever the
 * judge put into it. Lists quoted from the `answer` are not the judge's. Nothing is counted or put in order here, and no excerpt is looked up in the answer: these are the judge's lists, unchanged.
 *
 * @example
 * ```ts
 * parseBuckets('{"tp": ["BCL2"], "fn": [], "fp": []}', new Set(['tp', 'fn', 'fp'])) // => { ok: true, lists: { tp: ['BCL2'], fn: [], fp: [], tn: [] } }
 * parseBuckets('{"tp": ["BCL2"], "fn": []}', new Set(['tp', 'fn', 'fp'])) // => { ok: false, reason: 'no_fp' }
 * ```
 */
export function parseBuckets(text: string, required: ReadonlySet<Bucket>, answer = ''): ParsedBuckets {
  const found = judgeObject(text, {
    keys: [...required],
    decisions: decisionsIn,
    answer,
  });
  if (!found.ok) return { ok: false, reason: `unreadable_${found.reason}` };
  const lists: Record<Bucket, readonly string[]> = { tp: [], fn: [], fp: [], tn: [] };
  for (const bucket of BUCKETS.filter((name) => required.has(name))) {
    const given = Object.entries(found.value).find(([key]) => key === bucket)?.[1] as unknown;
    if (!Array.isArray(given)) return { ok: false, reason: `no_${bucket}` };
    if (!given.every((entry) => typeof entry === 'string')) return { ok: false, reason: `bad_${bucket}` };
    lists[bucket] = given;
  }
  return { ok: true, lists };
}
