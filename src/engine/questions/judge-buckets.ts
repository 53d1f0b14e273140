import type { Judge } from '../../models/index.ts';
import { bucketsJudge } from '../../results/index.ts';
import { type Bucket, bucketsPrompt, parseBuckets } from '../../rubrics/index.ts';
import type { RunFile } from '../../store/index.ts';
import type { CallOptions } from '../call.ts';
import { makeTextCall } from '../text-call.ts';
import { type Answered, keyOf } from './judge-answer.ts';

/** The lists of one trait as a judge filled them, or why there are none. */
interface JudgedLists {
  readonly trait: string;
  readonly lists: Readonly<Record<Bucket, readonly string[]>> | null;
  readonly reason: string | null;
}

/** The second protocol: the judge fills the lists of each metric trait itself, a call for each. Beside the verdicts, never in their place: for comparison with results that were made so. */
export async function judgeBuckets(
  { question, repeat, answer }: Answered,
  { file, judge, lane }: { readonly file: RunFile; readonly judge: Judge; readonly lane: CallOptions },
  signal?: AbortSignal,
): Promise<void> {
  const { rubric } = question;
  const place = {
    recordId: question.id,
    repeat,
    judge: bucketsJudge(judge.name),
    pass: 0,
    rubric: rubric.hash,
  };
  if (rubric.metricTraits.length === 0 || file.hasJudgement(place)) return;
  const key = keyOf(place, judge);
  const judged: JudgedLists[] = [];
  for (const [i, trait] of rubric.metricTraits.entries()) {
    const { reply, error } = await makeTextCall(
      {
        key: `${key}:b${i}`,
        mode: 'judge',
        repeat: 0,
        record: { id: question.id, features: { question: question.question } },
        request: bucketsPrompt({ question: question.question, answer, trait }),
      },
      { ...lane, ...(signal && { signal }) },
    );
    const parsed =
      reply === null
        ? { ok: false as const, reason: `failed_${error?.fault ?? 'empty'}` }
        : parseBuckets(reply.text, trait.requiredBuckets());
    judged.push({
      trait: trait.name,
      lists: parsed.ok ? parsed.lists : null,
      reason: parsed.ok ? null : parsed.reason,
    });
  }
  file.addJudgement({ ...place, outcome: { buckets: judged } });
}
