import { z } from 'zod';
import { defineRunAnalysis, type RunInput } from '../analysis.ts';
import { runFailureSchema, summariseFailures, unusableRepliesSchema } from './failures.ts';
import { failures, unusable } from './section.ts';

/** Why calls and rows failed, by cause. */
export const failuresAnalysis = defineRunAnalysis({
  id: 'failures',
  appliesTo: 'both',
  field: 'failures',
  schema: z.array(runFailureSchema),
  compute: (input: RunInput) => causesIn(input).failures,
  sections: { problems: failures },
});

/** Why replies could not be used, by reason. */
export const unusableAnalysis = defineRunAnalysis({
  id: 'unusableReplies',
  appliesTo: 'both',
  field: 'unusableReplies',
  schema: z.array(unusableRepliesSchema),
  compute: (input: RunInput) => causesIn(input).unusableReplies,
  sections: { problems: unusable },
});

function causesIn({ failures: stored, run }: RunInput) {
  return summariseFailures(stored, (run.sensitivity ?? 'protected') === 'protected', run.task?.kind);
}
