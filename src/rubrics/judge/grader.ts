import { contentHash } from '../../core/canonical-json.ts';
import { oncePer } from '../../core/collections.ts';
import { KrisisError } from '../../core/errors.ts';
import { comparableText } from '../../core/json-in-text.ts';
import { quoted } from '../../core/plain-text.ts';
import {
  type PromptMessage,
  strictObject,
  type TextReply,
  type TextRequest,
} from '../../core/text-request.ts';
import type { RubricItem } from '../traits/metric-trait.ts';
import type { ItemVerdict, Parsed } from '../verdict.ts';
import { traitsToAsk } from './asked.ts';
import {
  emptyAnswerOutcome,
  isEmptyAnswer,
  type JudgeOutcome,
  judgeOutcome,
  settledBy,
} from './judge-outcome.ts';
import { judgeObject, readOwn } from './judge-reply.ts';
import TEXT from './judge-text.json' with { type: 'json' };
import { delimiterCode, fillSlots, type JudgeProblem, problemReason } from './judge-text.ts';
import { catchFailedCall, JudgeCallFailed, type RunJudgeOptions } from './run-judge.ts';

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

/** The request that grades one criterion. With our own wording the form of the reply is enforced; a template of the user is sent as it is. */
function graderRequest(
  { grader, turns, answer, maxOutputTokens = GRADER_OUTPUT_TOKENS }: RunGraderOptions,
  { instruction: criterion, kind, points = kind === 'required' ? 1 : -1 }: RubricItem,
): TextRequest {
  const template = storedTemplate(grader);
  const conversation = [...turns, { role: 'assistant', content: answer }]
    .map(({ role, content }) => `${role}: ${content}`)
    .join('\n\n');
  const slots = {
    conversation,
    criterion,
    rubric_item: `[${points}] ${criterion}`,
    fence: delimiterCode([conversation, criterion]),
  };
  return {
    messages: fillSlots(template, slots, PLACEHOLDER),
    template,
    maxOutputTokens,
    ...(grader.isOwn && { schema: SCHEMA }),
  };
}

/** One object for each grader, because a run file stores each object once. */
const storedTemplate = oncePer(({ template }: Grader): readonly PromptMessage[] => [
  { role: 'user', content: template },
]);

const SCHEMA = strictObject({ explanation: { type: 'string' }, criteria_met: { type: 'boolean' } });

/**
 * Reads a grader's reply: an object with `criteria_met`, true or false, and an `explanation`. An object quoted from the `answer` is not the grader's.
 *
 * @example
 * ```ts
 * parseGraderReply('```json\n{"explanation": "Names it.", "criteria_met": true}\n```', '') // => { ok: true, met: true, explanation: 'Names it.' }
 * parseGraderReply('{"criteria_met": "perhaps"}', '') // => { ok: false, reason: 'no_criteria_met' }
 * ```
 */
export function parseGraderReply(
  text: string,
  answer: string,
): Parsed<{ readonly met: boolean; readonly explanation: string }> {
  const decisions = (value: object) => [comparableText(readOwn(value, 'criteria_met'))];
  const found = judgeObject(text, answer, { keys: ['criteria_met'], decisions });
  if (!found.ok) return found;
  const met = readOwn(found.value, 'criteria_met');
  if (typeof met !== 'boolean') return { ok: false, reason: 'no_criteria_met' };
  const explanation = readOwn(found.value, 'explanation');
  return { ok: true, met, explanation: typeof explanation === 'string' ? explanation : '' };
}

/** LLM traits are not asked, because a grader decides criteria only: they have no value. The longest reply of a call is by default 2048 tokens. */
interface RunGraderOptions
  extends Pick<RunJudgeOptions, 'ask' | 'answer' | 'earlier' | 'maxOutputTokens' | 'llmTraits'> {
  readonly grader: Grader;
  /** The conversation that the answer replies to. */
  readonly turns: readonly PromptMessage[];
  readonly items: readonly RubricItem[];
}

/** A reply that cannot be used is asked for once more. */
const TRIES = 2;

/**
 * Grades one answer, a call for each criterion: met is `present`, not met is `absent`, with the grader's explanation in place of a quote. A criterion that several traits share is asked once. Whether the
 * answer abstains, and LLM traits, are not asked for; an item with a typed check stays `unclear`, since no value is copied from the answer.
 *
 * @example
 * ```ts
 * const trait = new MetricRubricTrait({ name: 'advice', metrics: ['recall'], tpInstructions: ['Advises an ECG'] });
 * const outcome = await runGrader({
 *   grader: healthBenchGrader(),
 *   ask: async () => ({ text: '{"explanation": "It does.", "criteria_met": true}', inputTokens: 300, outputTokens: 20 }),
 *   turns: [{ role: 'user', content: 'My potassium is 6.3.' }],
 *   answer: 'Have an ECG today.',
 *   items: listItems(trait),
 * });
 * [outcome.verdicts[0].verdict, outcome.verdicts[0].explanation] // => ['present', 'It does.']
 * ```
 */
export async function runGrader(options: RunGraderOptions): Promise<JudgeOutcome> {
  const { grader, answer, items, llmTraits } = options;
  const traits = traitsToAsk(llmTraits);
  if (isEmptyAnswer(answer)) return emptyAnswerOutcome(items, traits);
  const problems: JudgeProblem[] = [];
  const replies: TextReply[] = [];
  const asked = new Map<string, Omit<ItemVerdict, 'id'>>();
  const verdicts: ItemVerdict[] = [];
  const settled = settledBy(options.earlier ?? {}).verdicts;
  let nRepairs = 0;
  // One after another: calls have numbers.
  for (const item of items) {
    const { id } = item;
    if (settled.has(id)) {
      verdicts.push(settled.get(id)!);
      continue;
    }
    if (item.check !== undefined) {
      verdicts.push({ id, verdict: 'unclear', quotes: [], reason: 'grader_reads_no_values' });
      continue;
    }
    const request = graderRequest(options, item);
    const key = request.messages[0]!.content;
    let verdict = asked.get(key);
    for (let attempt = 0; attempt < TRIES && verdict === undefined; attempt++) {
      const reply = await catchFailedCall(options.ask(request));
      if (!(reply instanceof JudgeCallFailed)) replies.push(reply);
      const read = parseVerdict(reply, answer);
      nRepairs += attempt;
      if ('verdict' in read) verdict = read;
      else {
        problems.push({ ...read, id, trait: null });
        const isLast = attempt === TRIES - 1 || read.code === 'refused' || read.code === 'failed';
        if (isLast) verdict = { verdict: 'judge_error', quotes: [], reason: problemReason(read) };
      }
    }
    asked.set(key, verdict!);
    verdicts.push({ id, ...verdict! });
  }
  const notAsked = traits.map(({ name }) => ({ name, value: null, reason: 'not_asked' }));
  return judgeOutcome({ verdicts, traits: notAsked, nRepairs, problems, promptHash: grader.hash, replies });
}

function parseVerdict(
  reply: TextReply | JudgeCallFailed,
  answer: string,
): Omit<ItemVerdict, 'id'> | Pick<JudgeProblem, 'code' | 'detail'> {
  if (reply instanceof JudgeCallFailed) return { code: 'failed', detail: reply.reason };
  if (reply.refused === true) return { code: 'refused' };
  const parsed = parseGraderReply(reply.text, answer);
  if (!parsed.ok) return { code: 'unreadable', detail: parsed.reason };
  return {
    verdict: parsed.met ? 'present' : 'absent',
    quotes: [],
    reason: null,
    explanation: parsed.explanation,
  };
}
