import { hash } from 'node:crypto';
import { contentHash, type TextReply, type TextRequest } from '../../core/index.ts';
import { type Judge, judgeIdentity } from '../../models/index.ts';
import { JudgeCallFailed, lexicalJudge, runJudge } from '../../rubrics/index.ts';
import type { RunFile, StoredJudgement } from '../../store/index.ts';
import type { Question } from '../../suites/index.ts';
import type { CallOptions } from '../call.ts';
import { makeTextCall } from '../text-call.ts';

export interface Answered {
  readonly question: Question;
  readonly repeat: number;
  readonly answer: string;
}

export interface Judging {
  readonly file: RunFile;
  readonly judge: Judge;
  /** How the judge is called; not needed by one without a model. */
  readonly lane: CallOptions | null;
  readonly seed: number;
}

/** Judges one answer in one pass, once: what is in the file is not judged again, and calls that came back are not made again. */
export async function judgeAnswer(
  { question, repeat, answer }: Answered,
  pass: number,
  { file, judge, lane, seed }: Judging,
  signal?: AbortSignal,
): Promise<void> {
  const { rubric } = question;
  const place = { recordId: question.id, repeat, judge: judge.name, pass, rubric: rubric.hash };
  if (file.hasJudgement(place)) return;
  const asked = rubric.judgeQuestions();
  const key = keyOf(place, judge);
  let calls = 0;
  const ask = async (request: TextRequest): Promise<TextReply> => {
    const { reply, error } = await makeTextCall(
      {
        key: `${key}:${calls++}`,
        mode: 'judge',
        repeat: pass,
        record: { id: question.id, features: { question: question.question } },
        request,
      },
      { ...lane!, ...(signal && { signal }) },
    );
    if (reply === null) throw new JudgeCallFailed(error?.fault ?? 'empty');
    return reply;
  };
  const outcome =
    judge.backend === null
      ? lexicalJudge({ answer, ...asked }, question.aliases)
      : await runJudge({ ask, question: question.question, answer, ...asked, seed, pass });
  // Replies are kept with their calls.
  file.addJudgement({ ...place, outcome: { ...outcome, replies: [] } });
}

const identities = new WeakMap<Judge, string>();

/** The same judgement has the same key in every process. */
export function keyOf(place: Omit<StoredJudgement, 'outcome'>, judge: Judge): string {
  let identity = identities.get(judge);
  if (identity === undefined) {
    identity = contentHash(judgeIdentity(judge));
    identities.set(judge, identity);
  }
  const { recordId, repeat, pass, rubric } = place;
  return hash('sha256', JSON.stringify([identity, recordId, repeat, pass, rubric]), 'base64url').slice(0, 24);
}
