import { z } from 'zod';
import type { Label } from './label.ts';

/** One value that the model sees. `null` means not measured. */
export type FeatureValue =
  | string
  | number
  | boolean
  | null
  | readonly FeatureValue[]
  | { readonly [name: string]: FeatureValue };

/**
 * The unit of evaluation. The model sees `features` and nothing else; `label` and `metadata` are for scoring.
 *
 * @example
 * ```ts
 * const record: PatientRecord = {
 *   id: 'c7a1', features: { creatinine_mg_dl: 2.4 }, label: 'present', metadata: { age: 71, should_abstain: false },
 * };
 * record.label // => 'present'
 * ```
 */
export interface PatientRecord {
  /** Unique within its suite, and stable: run files and comparisons refer to it. */
  readonly id: string;
  /** What the model sees, by name. */
  readonly features: { readonly [name: string]: FeatureValue };
  /** The true label. Null only where no answer can be derived and deferring is right. */
  readonly label: Label | null;
  /** Never shown to the model: strata, groups, and `should_abstain` (whether deferring is right). In files the default is {}. */
  readonly metadata: { readonly [key: string]: unknown };
}

const featureValue: z.ZodType<FeatureValue> = z.lazy(() =>
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(featureValue),
    z.record(z.string(), featureValue),
  ]),
);

/** A record in its file form, which has the same four names. */
export const patientRecordSchema = z.object({
  id: z.string().min(1),
  features: z.record(z.string(), featureValue),
  label: z.union([z.string(), z.number(), z.boolean(), z.null()]),
  metadata: z.record(z.string(), z.unknown()).default({}),
});
