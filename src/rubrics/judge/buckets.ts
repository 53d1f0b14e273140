import { contentHash } from '../../core/canonical-json.ts';
import { comparableText } from '../../core/json-in-text.ts';
import type { TextRequest } from '../../core/text-request.ts';
import type { ConfusionLists } from '../confusion-metrics.ts';
import type { MetricRubricTrait } from '../traits/metric-trait.ts';
import { BUCKETS, type Bucket, type EvaluationMode } from '../traits/trait.ts';
import type { Parsed } from '../verdict.ts';
import type { JudgeQuestion } from './asked.ts';
import { bucketsSchema } from './judge-prompt.ts';
import { judgeObject, readOwn } from './judge-reply.ts';
import TEXT from './judge-text.json' with { type: 'json' };
import { createTemplate, FENCED, fillPrompt } from './judge-text.ts';

/**
 * The second protocol: the judge fills the lists of one trait itself. For comparison with results that were made so; a score then depends on how finely the judge cuts the answer,
 * which is why it is not the first.
 */
export function bucketsPrompt({
  question,
  answer,
  trait,
}: Pick<JudgeQuestion, 'question' | 'answer'> & { readonly trait: MetricRubricTrait }): TextRequest {
  const lines = {
    description: trait.description === null ? 'none.' : JSON.stringify(trait.description),
    required: trait.tpInstructions.map((line) => JSON.stringify(line)).join('\n'),
    forbidden: trait.tnInstructions.map((line) => JSON.stringify(line)).join('\n'),
  };
  const schema = bucketsSchema([...trait.getRequiredBuckets()]);
  const untrusted = [question, answer, ...Object.values(lines)];
  return fillPrompt(TEMPLATES[trait.evaluationMode], schema, untrusted, { question, answer, ...lines });
}

const TEMPLATES = { tp_only: template('tp_only'), full_matrix: template('full_matrix') };

function template(mode: EvaluationMode) {
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
  return createTemplate(system, user);
}

/** Changes when the wording of this protocol changes. */
export const BUCKETS_PROMPT_HASH: string = contentHash(TEMPLATES).slice(0, 16);

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
export function parseBuckets(
  text: string,
  required: ReadonlySet<Bucket>,
  answer = '',
): Parsed<{ readonly lists: ConfusionLists }> {
  // What the lists decide: which excerpt is in which of them.
  const decisions = (value: object) =>
    Object.entries(value).flatMap(([bucket, excerpts]) =>
      Array.isArray(excerpts)
        ? excerpts.map((excerpt) => JSON.stringify([bucket, comparableText(excerpt)]))
        : [],
    );
  const found = judgeObject(text, answer, { keys: [...required], decisions });
  if (!found.ok) return { ok: false, reason: `unreadable_${found.reason}` };
  const lists: Record<Bucket, readonly string[]> = { tp: [], fn: [], fp: [], tn: [] };
  for (const bucket of BUCKETS.filter((name) => required.has(name))) {
    const list = readOwn(found.value, bucket);
    if (!Array.isArray(list)) return { ok: false, reason: `no_${bucket}` };
    if (!list.every((entry) => typeof entry === 'string')) return { ok: false, reason: `bad_${bucket}` };
    lists[bucket] = list;
  }
  return { ok: true, lists };
}
