import { hash } from 'node:crypto';
import { contentHash, type TextReply, type TextRequest } from '../../core/index.ts';
import { type Judge, judgeIdentity } from '../../models/index.ts';
import {
  bucketsPrompt,
  itemsOf,
  JudgeCallFailed,
  lexicalJudge,
  parseBuckets,
  runGrader,
  runJudge,
} from '../../rubrics/index.ts';
import {
  bucketsJudge,
  CALLABLE_JUDGE,
  type JournalRow,
  type RunFile,
  type StoredJudgement,
} from '../../store/index.ts';
import type { Question } from '../../suites/index.ts';
import type { CallContext } from '../call.ts';
import { isWithheld, type TextPolicy } from '../kept-reply.ts';
import { makeTextCall } from '../text-call.ts';
import { keptOutcome, keptWords, recordOf } from './kept-outcome.ts';

/** An answer, its question, and the rubric that it is judged by. */
export interface Answered {
  readonly question: Question;
  readonly repeat: number;
  readonly answer: string;
}

/** A question of which little more is known than its text. */
export function bareQuestion(known: Pick<Question, 'id' | 'question' | 'rubric'>): Question {
  return {
    messages: null,
    reference: null,
    tags: [],
    shouldAbstain: null,
    sources: [],
    aliases: {},
    ...known,
  };
}

/** How answers are judged. */
export interface Judging {
  readonly judge: Judge;
  /** How often the judge reads each answer. */
  readonly passes: number;
  /** Whether the judge also fills the lists of the second protocol: beside the verdicts, for comparison with older results. */
  readonly buckets: boolean;
  readonly seed: number;
  /** What may be stored of the judge's texts. */
  readonly policy: TextPolicy;
}

type Place = Omit<StoredJudgement, 'outcome'>;

/** Makes one judgement; `context` is how the judge is called, and null for a judge without a model. */
type JudgingStep = (context: CallContext | null) => Promise<StoredJudgement>;

/** What is still to be judged about an answer, a step for each judgement. Empty when the store holds all of it. */
export function missingJudgements(
  answered: Answered,
  judging: Judging,
  store: Pick<RunFile, 'hasJudgement'>,
): JudgingStep[] {
  const { question, repeat } = answered;
  const { rubric } = question;
  const { judge } = judging;
  const steps: JudgingStep[] = [];
  const add = (
    name: string,
    pass: number,
    outcomeOf: (
      place: Place,
      context: CallContext | null,
    ) => Parameters<typeof keptOutcome>[0] | Promise<Parameters<typeof keptOutcome>[0]>,
  ) => {
    const place = { recordId: question.id, repeat, judge: name, pass, rubric: rubric.hash };
    if (!store.hasJudgement(place))
      steps.push(async (context) => ({
        ...place,
        outcome: keptOutcome(await outcomeOf(place, context), question, judging.policy),
      }));
  };
  const functions = isWithheld(judging.policy) ? rubric.evaluations() : rubric.functions();
  if (functions.length > 0)
    add(CALLABLE_JUDGE, 0, () => outcomeOfFunctions(answered, functions, judging.policy));
  for (let pass = 0; pass < judging.passes; pass++)
    add(judge.name, pass, (place, context) => outcomeOfJudge(answered, place, judging, context));
  if (judging.buckets && judge.backend !== null && rubric.metricTraits.length > 0)
    add(bucketsJudge(judge.name), 0, (place, context) => outcomeOfBuckets(answered, place, judge, context!));
  return steps;
}

/** Makes the judgements about an answer that are still missing. With its `row`, they are entered together with it, when all are there. */
export async function judgeAnswer(
  answered: Answered,
  judging: Judging,
  store: RunFile,
  context: CallContext | null,
  row: JournalRow | null = null,
): Promise<void> {
  const made: StoredJudgement[] = [];
  for (const step of missingJudgements(answered, judging, store)) {
    const judgement = await step(context);
    if (row === null) store.addJudgement(judgement);
    else made.push(judgement);
  }
  if (row !== null) store.enterJudged(row, made);
}

/** Asks the functions of callable traits, and where the answer's text is withheld all traits that it decides. Their outcomes are stored; functions never are. */
function outcomeOfFunctions(
  { question, answer }: Answered,
  functions: ReturnType<Question['rubric']['functions']>,
  { isProtected }: TextPolicy,
) {
  return {
    verdicts: [],
    traits: functions.map(({ name, evaluate }) => {
      const outcome = evaluate(answer, question.question);
      // What a function says when it fails can be any text.
      return outcome.kind === 'unscored'
        ? { name, value: null, reason: isProtected ? 'function_failed' : outcome.reason }
        : { name, value: outcome.value, reason: null };
    }),
    abstained: null,
    abstainedReason: 'not_asked',
    nRepairs: 0,
    problems: [],
    promptHash: null,
    replies: [],
  };
}

/** One pass of the judge. */
async function outcomeOfJudge(
  { question, answer }: Answered,
  place: Place,
  { judge, seed }: Judging,
  context: CallContext | null,
) {
  const asked = question.rubric.judgeQuestions();
  if (context === null) return lexicalJudge({ answer, ...asked }, question.aliases);
  const { pass } = place;
  const ask = judgeCalls(context, { key: keyOf(place, judge), repeat: pass, question });
  const { grader } = judge;
  const outcome = grader
    ? await runGrader({ grader, ask, answer, ...gradedBy(question) })
    : await runJudge({ ask, question: question.question, answer, ...asked, seed, pass });
  // Replies are stored with their calls.
  return { ...outcome, replies: [] };
}

/** What a grader is asked about a question: its turns, and its criteria with their points. */
export function gradedBy({ question, messages, rubric }: Question) {
  return {
    turns: messages ?? [{ role: 'user' as const, content: question }],
    items: rubric.metricTraits.flatMap(itemsOf),
    llmTraits: rubric.judgeQuestions().llmTraits,
  };
}

/** The second protocol: the judge fills the lists of each metric trait itself, in a call for each. */
async function outcomeOfBuckets(
  { question, answer }: Answered,
  place: Place,
  judge: Judge,
  context: CallContext,
) {
  const ask = judgeCalls(context, { key: `${keyOf(place, judge)}:b`, separator: '', repeat: 0, question });
  const buckets = [];
  for (const trait of question.rubric.metricTraits) {
    const parsed = await ask(bucketsPrompt({ question: question.question, answer, trait })).then(
      ({ text }) => parseBuckets(text, trait.requiredBuckets(), answer),
      (error: unknown) => {
        if (!(error instanceof JudgeCallFailed)) throw error;
        return { ok: false as const, reason: `failed_${error.reason}` };
      },
    );
    buckets.push({
      trait: trait.name,
      lists: parsed.ok ? parsed.lists : null,
      reason: parsed.ok ? null : parsed.reason,
    });
  }
  return { buckets };
}

/** The calls of one judgement, numbered: the same judgement has the same keys in every process. */
export function judgeCalls(
  context: CallContext,
  about: {
    readonly key: string;
    readonly separator?: string;
    readonly repeat: number;
    readonly question: Pick<Question, 'id' | 'question'> & Partial<Pick<Question, 'rubric'>>;
  },
): (request: TextRequest) => Promise<TextReply> {
  const { key, separator = ':', repeat, question } = about;
  let calls = 0;
  return async (request) => {
    const { reply, error } = await makeTextCall(
      {
        key: `${key}${separator}${calls++}`,
        mode: 'judge',
        repeat,
        record: recordOf(question),
        request,
        keep: question.rubric && keptWords({ rubric: question.rubric }),
      },
      context,
    );
    if (reply === null) throw new JudgeCallFailed(error?.fault ?? 'empty');
    return reply;
  };
}

const identities = new WeakMap<Judge, string>();

function keyOf({ recordId, repeat, pass, rubric }: Place, judge: Judge): string {
  let identity = identities.get(judge);
  if (identity === undefined) {
    identity = contentHash(judgeIdentity(judge));
    identities.set(judge, identity);
  }
  return hash('sha256', JSON.stringify([identity, recordId, repeat, pass, rubric]), 'base64url').slice(0, 24);
}
