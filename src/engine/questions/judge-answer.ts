import { hash } from 'node:crypto';
import type { TextReply, TextRequest } from '../../core/text-request.ts';
import type { Judge } from '../../models/judge.ts';
import { bucketsPrompt, parseBuckets } from '../../rubrics/judge/buckets.ts';
import {
  CLAIMS_PROMPT_HASH,
  type ClaimSource,
  claimsPrompt,
  parseClaims,
} from '../../rubrics/judge/claims.ts';
import { runGrader } from '../../rubrics/judge/grader.ts';
import { hasFailed } from '../../rubrics/judge/judge-outcome.ts';
import { lexicalJudge } from '../../rubrics/judge/lexical.ts';
import { catchFailedCall, JudgeCallFailed, runJudge } from '../../rubrics/judge/run-judge.ts';
import { listItems } from '../../rubrics/traits/metric-trait.ts';
import type { Parsed } from '../../rubrics/verdict.ts';
import {
  bucketsJudge,
  CALLABLE_JUDGE,
  callPrefix,
  claimsJudge,
  type Judgement,
  type JudgementPlace,
} from '../../store/judgements.ts';
import type { NewRow } from '../../store/rows.ts';
import type { RunFile } from '../../store/run-file.ts';
import type { Question } from '../../suites/questions/question-suite.ts';
import { settleAll } from '../../transports/transport.ts';
import type { CallContext } from '../call-request.ts';
import { isWithheld, type TextPolicy } from '../kept-reply.ts';
import { makeTextCall } from '../text-call.ts';
import { type FindContext, type Judging, resolveConfig } from './judges.ts';
import { keptOutcome, keptWords, type Outcome, toRecord } from './kept-outcome.ts';

/** An answer, its question, and the rubric that it is judged by. */
export interface Answered {
  readonly question: Question;
  readonly repeat: number;
  readonly answer: string;
}

/** A question of which little more is known than its text. */
export function bareQuestion(
  known: Pick<Question, 'id' | 'question' | 'rubric'> & Partial<Question>,
): Question {
  const unknown = {
    messages: null,
    reference: null,
    tags: [],
    shouldAbstain: null,
    sources: [],
    aliases: {},
  };
  return { ...unknown, ...known };
}

/** A judgement to be made, and what an earlier attempt at it left. */
interface Attempt extends JudgementPlace {
  readonly attempt: number;
  readonly earlier: Outcome | null;
}

/** How a kind of judgement is made, and when it counts as failed. */
interface JudgementKind {
  readonly judge: string;
  readonly config: string;
  readonly pass: number;
  isFailed(stored: Outcome): boolean;
  resolveOutcome(attempt: Attempt, findContext: FindContext): Outcome | Promise<Outcome>;
}

/** What is still to be judged about an answer, a step for each judgement; those that failed before (`isAgain`) are among them when their round has come. Empty when the store holds all of it. */
export function missingJudgements(answered: Answered, judging: Judging, store: Pick<RunFile, 'judgements'>) {
  const { question, repeat } = answered;
  return listJudgementKinds(answered, judging).flatMap(
    ({ judge, config, pass, isFailed, resolveOutcome }) => {
      const place: JudgementPlace = {
        recordId: question.id,
        repeat,
        judge,
        pass,
        rubric: question.rubric.hash,
        config,
      };
      const last = store.judgements.findLast(place);
      const earlier = (last?.outcome ?? null) as Outcome | null;
      const { round } = judging;
      if (last !== null && !(round !== null && last.attempt < round && isFailed(earlier!))) return [];
      // The calls of a judgement that an earlier process did not finish have the names of the first attempt.
      const attempt = last === null ? 0 : round!;
      const make = async (findContext: FindContext): Promise<Judgement> => ({
        ...place,
        attempt,
        outcome: keptOutcome(
          await resolveOutcome({ ...place, attempt, earlier }, findContext),
          question,
          judging.policy,
        ),
      });
      return [{ isAgain: last !== null, make }];
    },
  );
}

/** The judgements that an answer gets. */
function listJudgementKinds(answered: Answered, judging: Judging): JudgementKind[] {
  const { rubric } = answered.question;
  const { judges, claims: source, policy } = judging;
  const kinds: JudgementKind[] = [];
  const functions = isWithheld(policy) ? rubric.evaluations() : rubric.functions();
  if (functions.length > 0)
    kinds.push({
      judge: CALLABLE_JUDGE,
      config: '',
      pass: 0,
      // A function that fails fails again.
      isFailed: () => false,
      resolveOutcome: () => runFunctions(answered, functions, policy),
    });
  for (const judge of judges) {
    const config = resolveConfig(judge);
    for (let pass = 0; pass < judging.passes; pass++)
      kinds.push({
        judge: judge.name,
        config,
        pass,
        // What a judge without a model cannot decide it will not decide the next time.
        isFailed: (stored) => judge.backend !== null && hasFailed(stored),
        resolveOutcome: (attempt, findContext) =>
          judgeOnce(answered, attempt, judge, judging.seed, findContext(judge)),
      });
    if (judging.buckets && judge.backend !== null && rubric.metricTraits.length > 0)
      kinds.push({
        judge: bucketsJudge(judge.name),
        config,
        pass: 0,
        isFailed: ({ buckets = [] }) => buckets.some((bucket) => bucket.lists === null),
        resolveOutcome: (attempt, findContext) => judgeBuckets(answered, attempt, findContext(judge)!),
      });
  }
  const [first] = judges;
  if (source !== null && first?.backend)
    kinds.push({
      // Another text of the source is checked again.
      judge: claimsJudge(first.name, hash('sha256', source.text)),
      config: resolveConfig(first),
      pass: 0,
      isFailed: ({ claims }) => claims === null,
      resolveOutcome: (attempt, findContext) => judgeClaims(answered, attempt, source, findContext(first)!),
    });
  return kinds;
}

/** The same where the text of the answer is not stored: what failed cannot be asked again. */
export function judgingFor(judging: Judging, answer: string | null): Judging {
  return answer === null ? { ...judging, round: null } : judging;
}

/** Makes the judgements about an answer that are still missing. With its `row`, they are entered together with it, when all are there. */
export async function judgeAnswer(
  answered: Answered,
  judging: Judging,
  store: RunFile,
  findContext: FindContext,
  row: NewRow | null = null,
): Promise<void> {
  const made: Judgement[] = [];
  await settleAll(missingJudgements(answered, judging, store), async (step) => {
    const judgement = await step.make(findContext);
    if (row === null) store.judgements.enter(judgement);
    else made.push(judgement);
  });
  if (row !== null) store.judgements.enterWithRow(row, made);
}

/** Asks the functions of callable traits, and where the answer's text is withheld all traits that it decides. Their outcomes are stored; functions never are. */
function runFunctions(
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

/** One pass of the judge. Of an earlier attempt, what it settled is kept. */
async function judgeOnce(
  { question, answer }: Answered,
  attempt: Attempt,
  { grader, rules, maxOutputTokens }: Judge,
  seed: number,
  context: CallContext | null,
) {
  const asked = question.rubric.judgeQuestions();
  if (context === null) return lexicalJudge({ answer, ...asked }, question.aliases);
  const { pass, earlier } = attempt;
  const ask = judgeCalls(context, question, `${buildCallKey(attempt)}:`, pass, attempt.attempt);
  const outcome = grader
    ? await runGrader({ grader, ask, answer, earlier, maxOutputTokens, ...gradedBy(question) })
    : await runJudge({
        ask,
        question: question.question,
        answer,
        ...asked,
        seed,
        pass,
        earlier,
        rules: rules ?? null,
        maxOutputTokens,
      });
  // Replies are stored with their calls.
  return { ...outcome, replies: [] };
}

/** What a grader is asked about a question: its turns, and its criteria with their points. */
export function gradedBy({ question, messages, rubric }: Question) {
  return {
    turns: messages ?? [{ role: 'user' as const, content: question }],
    items: rubric.metricTraits.flatMap(listItems),
    llmTraits: rubric.judgeQuestions().llmTraits,
  };
}

/** The second protocol: the judge fills the lists of each metric trait itself, in a call for each. */
async function judgeBuckets({ question, answer }: Answered, attempt: Attempt, context: CallContext) {
  const ask = judgeCalls(context, question, `${buildCallKey(attempt)}:b`, 0, attempt.attempt);
  const buckets = [];
  for (const trait of question.rubric.metricTraits) {
    const before = attempt.earlier?.buckets?.find((bucket) => bucket.trait === trait.name);
    if (before?.lists) {
      buckets.push(before);
      continue;
    }
    const reply = await catchFailedCall(ask(bucketsPrompt({ question: question.question, answer, trait })));
    const parsed = parseReply(reply, (text) => parseBuckets(text, trait.getRequiredBuckets(), answer));
    buckets.push({
      trait: trait.name,
      lists: parsed.ok ? parsed.lists : null,
      reason: parsed.ok ? null : parsed.reason,
    });
  }
  return { buckets };
}

/** The claims of an answer that match no item, in a call of their own; a reply that cannot be used is asked for once more. */
async function judgeClaims(
  { question, answer }: Answered,
  attempt: Attempt,
  source: ClaimSource,
  context: CallContext,
) {
  const ask = judgeCalls(context, question, `${buildCallKey(attempt)}:c`, 0, attempt.attempt);
  const { items } = question.rubric.judgeQuestions();
  const prompt = claimsPrompt({ question: question.question, answer, items, source });
  const promptHash = CLAIMS_PROMPT_HASH;
  let reason = '';
  for (let tries = 0; tries < 2; tries++) {
    const reply = await catchFailedCall(ask(prompt));
    const parsed = parseReply(reply, (text) => parseClaims(text, answer, source));
    if (parsed.ok) return { claims: parsed.claims, promptHash };
    ({ reason } = parsed);
    if (reply instanceof JudgeCallFailed) break;
  }
  return { claims: null, reason, promptHash };
}

function parseReply<T>(reply: TextReply | JudgeCallFailed, parse: (text: string) => Parsed<T>): Parsed<T> {
  return reply instanceof JudgeCallFailed
    ? { ok: false, reason: `failed_${reply.reason}` }
    : parse(reply.text);
}

/** The calls of one judgement, numbered after the prefix of their keys: the same judgement has the same keys in every process. */
export function judgeCalls(
  context: CallContext,
  question: Pick<Question, 'id' | 'question'> & Partial<Pick<Question, 'rubric'>>,
  prefix: string,
  repeat = 0,
  round = 0,
): (request: TextRequest) => Promise<TextReply> {
  let calls = 0;
  return async (request) => {
    const { reply, error } = await makeTextCall(
      {
        key: `${prefix}${calls++}`,
        mode: 'judge',
        repeat,
        round,
        record: toRecord(question),
        request,
        keep: question.rubric && keptWords({ rubric: question.rubric }),
      },
      context,
    );
    if (reply === null) throw new JudgeCallFailed(error?.fault ?? 'empty');
    return reply;
  };
}

/** Names the calls of a judgement: its configuration can be read from the name, so that each judge has its own costs. */
function buildCallKey({ recordId, repeat, judge, pass, rubric, config = '', attempt }: Attempt): string {
  const about = [recordId, repeat, judge, pass, rubric, ...(attempt > 0 ? [attempt] : [])];
  const name = hash('sha256', JSON.stringify(about), 'base64url').slice(0, 24);
  return `${callPrefix(config)}${name}`;
}
