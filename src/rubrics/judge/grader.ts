import {
  comparableText,
  contentHash,
  KrisisError,
  oncePer,
  type PromptMessage,
  quoted,
  type TextRequest,
} from '../../core/index.ts';
import { delimiterCode } from './fill-template.ts';
import { judgeObject } from './judge-object.ts';
import TEXT from './judge-text.json' with { type: 'json' };

/** How answers are judged: by verdicts with quotes on all items of a call, or one criterion per call, met or not met, as HealthBench publishes it. */
export const GRADERS = ['verdicts', 'healthbench'] as const;

/** A grader of one criterion per call: its template, and where that comes from. */
export interface Grader {
  readonly protocol: 'healthbench';
  /** The prompt, sent as one message of the user, with its placeholders. */
  readonly template: string;
  /** Hash of the template: another wording is another grader. */
  readonly hash: string;
  /** Whether the wording is that of Krisis, and not from a file of the user. */
  readonly isOwn: boolean;
}

/** The longest reply that a grader may give: an explanation of a few sentences, and room to reason. */
const GRADER_OUTPUT_TOKENS = 2_048;

const PLACEHOLDERS = ['conversation', 'rubric_item', 'criterion', 'fence'] as const;
const PLACEHOLDER = /<<(\w+)>>/g;

/**
 * A grader of one criterion per call. The placeholders of a template are `<<conversation>>` (all turns, the answer last), and `<<rubric_item>>` (`[points] criterion`, as published) or
 * `<<criterion>>` (without the points); `<<fence>>` is a code that no text in the prompt contains. Default: a wording of our own, which shows no points.
 *
 * @example
 * ```ts
 * healthBenchGrader().isOwn // => true
 * healthBenchGrader('<<conversation>>\n\nIs this met? <<rubric_item>>\nReply {"explanation", "criteria_met"}.').isOwn // => false
 * ```
 *
 * @throws KrisisError for a template without these placeholders, or with others.
 */
export function healthBenchGrader(template?: string, place = 'template of the grader'): Grader {
  const text = template ?? TEXT.grader.join('\n');
  const used = [...text.matchAll(PLACEHOLDER)].map(([, name]) => name!);
  const refuse = (message: string, value: unknown) => {
    throw new KrisisError(`${place}: ${message}`, { code: 'ERR_GRADER_TEMPLATE', value });
  };
  const unknown = used.find((name) => !PLACEHOLDERS.some((known) => known === name));
  if (unknown !== undefined)
    refuse(
      `unknown placeholder ${quoted(`<<${unknown}>>`)}; there are ${PLACEHOLDERS.map((name) => `<<${name}>>`).join(', ')}`,
      unknown,
    );
  if (!used.includes('conversation'))
    refuse('has no placeholder <<conversation>> for what is graded; put it where the turns belong', text);
  if (!used.includes('rubric_item') && !used.includes('criterion'))
    refuse(
      'has no placeholder <<rubric_item>> (the criterion with its points) or <<criterion>> (without them)',
      text,
    );
  return {
    protocol: 'healthbench',
    template: text,
    hash: contentHash(['healthbench', text]).slice(0, 16),
    isOwn: template === undefined,
  };
}

/** What a grader is asked about: an answer at the end of a conversation, and a criterion. */
export interface Graded {
  /** The turns that the answer replies to. */
  readonly turns: readonly PromptMessage[];
  readonly answer: string;
  readonly criterion: string;
  readonly points: number;
}

/** The request that grades one criterion. With our own wording the form of the reply is enforced; a template of the user is sent as it is. */
export function graderRequest(
  grader: Grader,
  { turns, answer, criterion, points }: Graded,
  maxOutputTokens: number = GRADER_OUTPUT_TOKENS,
): TextRequest {
  const { template, isOwn } = grader;
  const conversation = [...turns, { role: 'assistant', content: answer }]
    .map(({ role, content }) => `${role}: ${content}`)
    .join('\n\n');
  const slots: Record<string, string> = {
    conversation,
    criterion,
    rubric_item: `[${points}] ${criterion}`,
    fence: delimiterCode([conversation, criterion]),
  };
  const content = template.replace(PLACEHOLDER, (mark, name: string) => slots[name] ?? mark);
  return {
    messages: [{ role: 'user', content }],
    template: storedTemplate(grader),
    maxOutputTokens,
    ...(isOwn && { schema: SCHEMA }),
  };
}

/** One object for each grader, because a run file stores each object once. */
const storedTemplate = oncePer(({ template }: Grader): readonly PromptMessage[] => [
  { role: 'user', content: template },
]);

const SCHEMA = {
  type: 'object',
  properties: { explanation: { type: 'string' }, criteria_met: { type: 'boolean' } },
  required: ['explanation', 'criteria_met'],
  additionalProperties: false,
};

export type GraderReply =
  | { readonly ok: true; readonly met: boolean; readonly explanation: string }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads a grader's reply: an object with `criteria_met`, true or false, and an `explanation`. An object quoted from the `answer` is not the grader's.
 *
 * @example
 * ```ts
 * parseGraderReply('```json\n{"explanation": "Names it.", "criteria_met": true}\n```', '') // => { ok: true, met: true, explanation: 'Names it.' }
 * parseGraderReply('{"criteria_met": "perhaps"}', '') // => { ok: false, reason: 'no_criteria_met' }
 * ```
 */
export function parseGraderReply(text: string, answer: string): GraderReply {
  const metIn = (value: object) => (value as { readonly criteria_met?: unknown }).criteria_met;
  const found = judgeObject(text, {
    keys: ['criteria_met'],
    decisions: (value) => [comparableText(metIn(value))],
    answer,
  });
  if (!found.ok) return found;
  const met = metIn(found.value);
  if (typeof met !== 'boolean') return { ok: false, reason: 'no_criteria_met' };
  const { explanation } = found.value as { readonly explanation?: unknown };
  return { ok: true, met, explanation: typeof explanation === 'string' ? explanation : '' };
}
