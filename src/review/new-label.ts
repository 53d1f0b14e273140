import { z } from 'zod';
import { KrisisError } from '../core/errors.ts';
import { MAX_NOTE, REVIEW_KINDS } from '../store/review/review-schema.ts';
import type { NewReviewLabel } from '../store/review/review-session.ts';

const text = z
  .string()
  .max(2 * MAX_NOTE)
  .nullable()
  .default(null);

/** The form only: whether the target, the verdict and the rest are possible is checked where the label is stored. */
const newLabel = z.object({
  id: z.string().regex(/^[\w-]{8,64}$/),
  kind: z.enum(REVIEW_KINDS),
  recordId: z.string().min(1).max(1000),
  repeat: z.int().min(0),
  itemId: z.string().max(100).nullable(),
  verdict: z.string().max(40),
  label: z
    .union([z.string().max(1000), z.number(), z.boolean()])
    .nullable()
    .default(null),
  urgent: z.boolean().nullable().default(null),
  probability: z.number().min(0).max(1).nullable().default(null),
  reason: text,
  note: text,
  answerHash: z.string().max(64),
  itemHash: z.string().max(64),
  supersedes: z.string().max(64).nullable().default(null),
  at: z.iso.datetime(),
});

/** A label as a page sent it, or a packet saved it. */
export function parseNewLabel(given: unknown): NewReviewLabel {
  const parsed = newLabel.safeParse(given);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  throw new KrisisError(`a label is not valid: ${first!.path.join('.') || 'it'}: ${first!.message}`, {
    code: 'ERR_REVIEW_LABEL',
    value: given,
  });
}
