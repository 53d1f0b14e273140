import type { PromptMessage, TextReply, TextRequest } from '../../core/index.ts';
import type { RubricItem } from '../traits/metric-trait.ts';
import type { ItemVerdict } from '../verdict.ts';
import { type AskedTrait, traitsToAsk } from './asked.ts';
import { type EarlierAttempt, settledBy } from './failed-judgement.ts';
import { type Grader, graderRequest, parseGraderReply } from './grader.ts';
import { emptyAnswerOutcome, isEmptyAnswer, type JudgeOutcome, judgeOutcome } from './judge-outcome.ts';
import { type JudgeProblem, problemReason } from './judge-problem.ts';
import { JudgeCallFailed } from './run-judge.ts';

interface RunGraderOptions {
  readonly grader: Grader;
  /** One call to a text model, with whatever retries it takes. When it throws `JudgeCallFailed`, the criterion becomes an error of the judge. */
  readonly ask: (request: TextRequest) => Promise<TextReply>;
  /** The conversation that the answer replies to. */
  readonly turns: readonly PromptMessage[];
  readonly answer: string;
  readonly items: readonly RubricItem[];
  /** An earlier attempt at the same judgement: criteria that it settled are kept. Default: all are asked. */
  readonly earlier?: EarlierAttempt | null;
  /** Longest reply of a call, in tokens. Default: 2048. */
  readonly maxOutputTokens?: number | undefined;
  /** Not asked: a grader decides criteria only, so they have no value. */
  readonly llmTraits?: readonly AskedTrait[];
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
 *   items: itemsOf(trait),
 * });
 * [outcome.verdicts[0].verdict, outcome.verdicts[0].explanation] // => ['present', 'It does.']
 * ```
 */
export async function runGrader(options: RunGraderOptions): Promise<JudgeOutcome> {
  const { grader, turns, answer, items, llmTraits } = options;
  const traits = traitsToAsk(llmTraits);
  if (isEmptyAnswer(answer)) return emptyAnswerOutcome(items, traits);
  const problems: JudgeProblem[] = [];
  const replies: TextReply[] = [];
  const asked = new Map<string, Omit<ItemVerdict, 'id'>>();
  const verdicts: ItemVerdict[] = [];
  const settled = settledBy(options.earlier ?? {}).verdicts;
  let nRepairs = 0;
  // One after another: calls have numbers.
  for (const { id, instruction, kind, points = kind === 'required' ? 1 : -1, check } of items) {
    if (settled.has(id)) {
      verdicts.push(settled.get(id)!);
      continue;
    }
    if (check !== undefined) {
      verdicts.push({ id, verdict: 'unclear', quotes: [], reason: 'grader_reads_no_values' });
      continue;
    }
    const graded = { turns, answer, criterion: instruction, points };
    const request = graderRequest(grader, graded, options.maxOutputTokens);
    const key = request.messages[0]!.content;
    let verdict = asked.get(key);
    for (let attempt = 0; attempt < TRIES && verdict === undefined; attempt++) {
      const reply = await send(options.ask, request);
      if (!(reply instanceof JudgeCallFailed)) replies.push(reply);
      const read = verdictOf(reply, answer);
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
  return judgeOutcome(
    { verdicts, traits: notAsked },
    { nRepairs, problems, promptHash: grader.hash, replies },
  );
}

async function send(
  ask: RunGraderOptions['ask'],
  request: TextRequest,
): Promise<TextReply | JudgeCallFailed> {
  return ask(request).catch((thrown: unknown) => {
    if (thrown instanceof JudgeCallFailed) return thrown;
    throw thrown;
  });
}

function verdictOf(
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
