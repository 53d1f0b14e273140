import { z } from 'zod';
import { type DeferralReason, GENERAL_REASONS, RUN_STATUSES } from '../core/index.ts';

const label = z.union([z.string(), z.number(), z.boolean()]);
const object = z.record(z.string(), z.unknown());
const text = z.string().nullable();
const deferralReason: z.ZodType<DeferralReason> = z.object({
  general: z.enum(GENERAL_REASONS),
  equivalent: z.array(z.string()).exactOptional(),
});
const egress = z.object({
  provider: z.string(),
  host: z.string(),
  loopback: z.boolean(),
  /** True when protected data left this machine because the user allowed it. */
  protected_data_allowed: z.boolean(),
  /** True when requests were left with the provider in bulk jobs. */
  bulk: z.boolean().exactOptional(),
});

/** How a run stops early: what was committed before the first call, and what the gates showed at the last look. */
const stopEarly = z.object({
  gates: z.array(z.string()),
  non_inferior: z
    .object({ baseline: z.string(), run_id: text, margin: z.number(), metric: z.string() })
    .nullable(),
  level: z.number(),
  /** Whether the bounds of all gates hold together, or only the release by all of them. */
  alpha: z.enum(['each', 'release']),
  n_models: z.int(),
  /** Error of one side, after division over models and gates. */
  alpha_side: z.number(),
  min_n: z.int(),
  claim: z.enum(['population', 'suite']),
  unit: z.enum(['record', 'patient', 'batch']),
  /** Units and rows of the whole run. */
  n_total: z.int(),
  n_rows: z.int(),
  seed: z.number(),
  generator: z.string(),
  order_sha256: z.string(),
  /** Empty before the first look that was written. */
  verdicts: z.array(
    z.object({
      gate: z.string(),
      status: z.enum(['pass', 'fail_shown', 'fail_unreachable', 'fail_not_shown', 'undecided']),
      /** Units of the finished prefix up to the decision. */
      looked_at: z.int(),
      n: z.int(),
      n_failed: z.int(),
      value: z.number().nullable(),
      lower: z.number().nullable(),
      upper: z.number().nullable(),
    }),
  ),
});

/** How a nested field is checked. On writing it may be left out, but not be malformed; on reading it falls back. */
type Nested = <T>(schema: z.ZodType<T>, fallback: T) => z.ZodType<T>;

/** Every field that a run file can hold about its run, in its file form. A field that does not apply to a run is null. */
const fieldsOf = (or: Nested) => ({
  /** Random, so that copies of a run can be recognised wherever they lie. */
  run_id: z.uuid(),
  /** Schema of the run file when the run was started. */
  schema_version: z.int(),
  /** Version of the code that reads replies. */
  parser_version: z.int(),
  /** Version of the code that writes prompts. */
  prompt_version: z.int(),
  krisis_version: z.string(),
  created_at: z.string(),
  status: z.enum(RUN_STATUSES),
  stopped_because: z.string(),
  /** Seconds spent in all sittings. */
  elapsed_seconds: z.number(),
  /** Records that the last sitting asked for. */
  n_selected: z.int(),

  suite: object,
  suite_name: z.string(),
  sensitivity: z.enum(['synthetic', 'public', 'protected']),
  /** Of a protected run: true when texts of models are stored on purpose, with patient data blocked out. */
  keep_text: z.boolean(),
  task: z.object({
    id: or(z.string(), 'unknown'),
    labels: or<readonly z.output<typeof label>[]>(z.array(label), []),
    positive_label: or(label.nullable(), null),
    ordered: or(z.boolean(), false),
    pack: or(text, null),
    /** Whether the label is a function of the values shown. */
    label_from_values: or(z.boolean(), false),
    /** The metadata key that breakdowns go by, and what one of its values is called. */
    stratum: or(z.object({ key: z.string(), label: z.string() }).nullable(), null),
    /** Whether the model was asked if a case is urgent; null where that is not known. */
    urgency_asked: or(z.boolean().nullable(), null),
    /** The labels whose choice means to act today; null where there are none. */
    act_labels: or<readonly z.output<typeof label>[] | null>(z.array(label).nullable(), null),
    /** The reasons to defer that the task knows, each with the general reason that it is a case of. */
    deferral_reasons: or(z.record(z.string(), deferralReason).nullable(), null),
  }),
  arm: z.string(),
  instructions: z.string(),
  /** The prompt that a backend of the user's own declares, with its slots unfilled. */
  prompt_template: z.array(z.object({ role: z.string(), content: z.string() })).readonly(),
  primary_endpoint: z.object({
    metric: z.string(),
    arm: or(z.string(), ''),
    why: or(z.string(), ''),
  }),
  model: z.string(),
  simulated: z.boolean(),
  parameters: object,
  seed: z.number(),
  /** SHA-256 of the ids of all records in the order of asking, written before the first call. */
  order_sha256: z.string(),
  /** Set for one part of a run: which of how many, and the records of all parts together. */
  shard: z.object({ index: z.int(), of: z.int(), n_records: z.int() }),
  /** Set for a run that was put together from parts: of each the id of its run, its shard, its state and the host that was asked. */
  merged_from: z.array(
    z.object({
      run_id: or(text, null),
      shard: or(text, null),
      status: or(text, null),
      host: or(text, null),
    }),
  ),
  /** The metadata key that names the patient, where several records are of one. */
  cluster: z.string(),
  /** Set for a run that stops as soon as its gates are decided. */
  stop_early: stopEarly,
  egress,
  /** The workers that made calls of the run, and where each sent them. */
  workers: z.array(
    z.object({ name: z.string(), provider: z.string(), host: z.string(), loopback: z.boolean() }),
  ),

  /** The judge of the last sitting; of a jury, the first. */
  judge: z.object({ judge: z.string(), parameters: or(object, {}), prompt_hash: or(text, null) }),
  /** The configurations of judges that were asked for last; several are a jury. Scores are theirs. */
  judge_configs: z.array(z.string()),
  /** Every configuration of a judge that was asked, in the order of first use. */
  judges: z.array(
    z.object({
      /** Hash of the identity: judgements are stored under it. Empty for judgements of earlier versions. */
      config: z.string(),
      judge: z.string(),
      parameters: or(object, {}),
      prompt_hash: or(text, null),
      /** The user's own rules for the judge. */
      rules: or(text, null),
      max_output_tokens: or(z.number().nullable(), null),
      passes: or(z.int().min(1), 1),
      egress: or(egress.nullable(), null),
      first_asked: or(z.string(), ''),
      last_asked: or(z.string(), ''),
    }),
  ),
  judge_passes: z.int().min(1),
  /** True once conditions on the run accepted a judge that is not calibrated. */
  allow_uncalibrated_judge: z.boolean(),
  judge_egress: egress,
  /** What the claims of answers were checked against, in the last sitting that checked them. */
  claims_source: z.object({ name: z.string(), sha256: z.string() }),
  /** Rubrics by their hash. */
  rubrics: object,
  /** Hashes of the rubrics that each question is judged by. */
  rubrics_of: z.record(z.string(), z.array(z.string())),
  /** Other ways to say an instruction, by question. */
  aliases_of: z.record(z.string(), z.record(z.string(), z.array(z.string()))),
  /** Where recorded answers came from. */
  recorded: z.object({ source: or(z.string(), 'unknown'), sha256: or(z.string(), 'unknown') }),

  /** Where an imported run came from. */
  imported: z.object({
    format: or(z.string(), 'unknown'),
    source: or(z.string(), 'unknown'),
    sha256: or(z.string(), 'unknown'),
    has_rows: or(z.boolean().nullable(), null),
  }),
  scores_as_published: object,
  score_differences: z.array(z.unknown()),

  /** What the baselines of the suite score on its records. */
  baselines: z.array(
    z.object({
      model: z.string(),
      n: z.int(),
      scores: z.record(
        z.string(),
        z.object({
          value: z.number().nullable(),
          lower: z.number().nullable(),
          upper: z.number().nullable(),
          n: z.int(),
        }),
      ),
    }),
  ),

  /** How the run went, in the keys of the JSON report. */
  extras: object,
  scoring: object,
  /** Of a run that was imported without rows. */
  scores: object,
  ledger: object,
});

/** The most repeats of a run. Readers walk over all of them: a number without a limit could keep them without end. */
export const MAX_REPEATS = 100_000;

/** What makes two runs the same run; an imported run knows little of it. */
const identityOf = (or: Nested) =>
  z.object({
    suite_hash: or(text, null),
    task: or(text, null),
    arm: or(text, null),
    model: or(text, null),
    prompt_hash: or(text, null),
    parameters: or(object, {}),
    batch_size: or(z.number().nullable(), null),
    repeats: or(z.int().min(1).max(MAX_REPEATS), 1),
    /** How the order of asking is made; null in version 0.1, which stratified by label. */
    order: or(text, null),
  });

const kind = z.enum(['labels', 'text']);

const onWriting: Nested = (schema) => schema.optional() as typeof schema;
const onReading: Nested = (schema, fallback) => schema.catch(() => fallback);

const written = z
  .strictObject({ ...nullable(fieldsOf(onWriting), false), identity: identityOf(onWriting), kind })
  .partial();

const read = z.object({
  ...nullable(fieldsOf(onReading), true),
  identity: identityOf(onReading).catch(() => identityOf(onReading).parse({})),
  // Version 0.1 called answers in text "questions", and wrote no kind for labels.
  kind: z.preprocess((value) => (value === 'questions' ? 'text' : value), kind).catch('labels'),
});

/** Everything a run file says about its run. What an older file does not say, or says wrongly, is null. */
export type Manifest = Readonly<z.output<typeof read>>;

/** Fields to set; the others stay as they are. Nested objects may be incomplete: what they leave out is read as null. */
export type ManifestUpdate = { readonly [K in keyof Manifest]?: Written<Manifest[K]> };

/** An object of free form can be any object. */
type Written<T> = T extends Record<string, unknown> ? (string extends keyof T ? object : Partial<T>) : T;

/** Reads a manifest: unknown fields are ignored, missing and malformed ones are null. */
export function readManifest(values: Readonly<Record<string, unknown>>): Manifest {
  return read.parse(values);
}

/** Checks fields before they are written: an unknown or malformed one is a fault of Krisis. */
export function checkManifest(values: ManifestUpdate): void {
  written.parse(values);
}

/** Fields that may be null; on reading, what is missing or malformed is null, too. */
function nullable<T extends Record<string, z.ZodType>>(fields: T, fallBack: boolean) {
  const entries = Object.entries(fields).map(([key, field]): [string, z.ZodType] => [
    key,
    fallBack ? field.nullable().catch(null) : field.nullable(),
  ]);
  return Object.fromEntries(entries) as { [K in keyof T]: z.ZodNullable<T[K]> };
}
