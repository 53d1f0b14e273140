import type { RunResult } from '../../runs/run-result.ts';
import { causeText, forGood, replyText } from './section.ts';

/** Why rows of a run have no usable answer, in words: what a list of causes shows. */
export interface Cause {
  /** `failed`: calls failed. `unusable`: replies came and could not be used. */
  readonly kind: 'failed' | 'unusable';
  /** Count and cause: `8 rows, 16 calls: a web page came back instead of JSON (HTTP 200)`. */
  readonly text: string;
  /** What to do about it; null where nothing is known to help. */
  readonly advice: string | null;
  /** A message or a reply; null for protected suites, and where none is stored. */
  readonly example: string | null;
}

/** The causes of a run, failures first. */
export function causesOf({
  failures,
  unusableReplies,
}: Pick<RunResult, 'failures' | 'unusableReplies'>): Cause[] {
  return [
    ...forGood(failures).map((failure) => ({
      kind: 'failed' as const,
      text: causeText(failure),
      advice: failure.advice,
      example: failure.example,
    })),
    ...unusableReplies.map((replies) => ({
      kind: 'unusable' as const,
      text: replyText(replies),
      advice: null,
      example: replies.example,
    })),
  ];
}
