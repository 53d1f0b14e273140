import { z } from 'zod';
import { count, fromFile, type Shape, toFile } from '../core/codec.ts';
import { type DeferralReason, GENERAL_REASONS } from '../core/deferral-reasons.ts';
import { RUN_STATUSES } from '../core/states.ts';

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
  protectedDataAllowed: z.boolean(),
  /** True when requests were left with the provider in bulk jobs. */
  bulk: z.boolean().exactOptional(),
});

export const suiteBaselinesSchema = z.array(
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
);

const earlyVerdictSchema = z.object({
  /** The gate as it was written. */
  gate: z.string(),
  status: z.enum(['pass', 'fail_shown', 'fail_unreachable', 'fail_not_shown', 'undecided']),
  /** Units of the finished prefix up to the decision. */
  lookedAt: z.number(),
  /** Those of them that the metric counts. */
  n: count,
  /** Those of them with failed rows: the worst for one bound, the best for the other. */
  nFailed: count,
  /** The value over units without failed rows: a difference for non-inferiority. A run that was stopped by a pass overstates it. */
  value: z.number().nullable(),
  /** Anytime-valid bounds; null for a gate on a plain value. */
  lower: z.number().nullable(),
  upper: z.number().nullable(),
});
/** What a gate of a run that stops early showed at its last look. */
export type EarlyVerdict = Shape<typeof earlyVerdictSchema>;

export const stopEarlySchema = z.object({
  /** The gates as they were written, without non-inferiority. */
  gates: z.array(z.string()),
  level: z.number(),
  /** `each`: the bounds of all gates hold together. `release`: only "this model meets all its gates" does. */
  alpha: z.enum(['each', 'release']),
  nModels: count,
  /** Error of one side, after division over models and gates. */
  alphaSide: z.number(),
  /** Counted units before which no bound decides. */
  minN: z.number(),
  /** What the bounds are about: the population that the records are a sample of, or exactly these records. */
  claim: z.enum(['population', 'suite']),
  /** What is looked at as one. */
  unit: z.enum(['record', 'patient', 'batch']),
  /** Units of the whole run. */
  nTotal: count,
  /** Rows of the whole run. */
  nRows: count,
  seed: z.number(),
  /** How the order of asking was made from the seed. */
  generator: z.string(),
  /** SHA-256 of the ids of all records in the order of asking. */
  orderSha256: z.string(),
  nonInferior: z
    .object({
      /** The file of the baseline. */
      baseline: z.string(),
      runId: z.string().nullable(),
      margin: z.number(),
      metric: z.string(),
    })
    .nullable(),
  /** Empty before the first look that was written. */
  verdicts: z.array(earlyVerdictSchema),
});
/** How a run stops early: what was committed before the first call, and what its gates showed. */
export type StopEarly = Shape<typeof stopEarlySchema>;

/** How a nested field is checked. On writing it may be left out, but not be malformed; on reading it falls back. */
type Nested = <T>(schema: z.ZodType<T>, fallback: T) => z.ZodType<T>;

/** What was asked, of which model, and how. */
const askingFields = (or: Nested) => ({
  /** Random, so that copies of a run can be recognised wherever they lie. */
  runId: z.uuid(),
  /** Schema of the run file when the run was started. */
  schemaVersion: z.int(),
  /** Version of the code that reads replies. */
  parserVersion: z.int(),
  /** Version of the code that writes prompts. */
  promptVersion: z.int(),
  krisisVersion: z.string(),
  createdAt: z.string(),
  status: z.enum(RUN_STATUSES),
  stoppedBecause: z.string(),
  /** Seconds spent in all sessions. */
  elapsedSeconds: z.number(),
  /** Records that the last session asked for. */
  nSelected: z.int(),

  suite: object,
  suiteName: z.string(),
  sensitivity: z.enum(['synthetic', 'public', 'protected']),
  /** Of a protected run: true when texts of models are stored on purpose, with patient data blocked out. */
  keepText: z.boolean(),
  task: z.object({
    id: or(z.string(), 'unknown'),
    labels: or<readonly z.output<typeof label>[]>(z.array(label), []),
    positiveLabel: or(label.nullable(), null),
    ordered: or(z.boolean(), false),
    pack: or(text, null),
    /** Whether the label is a function of the values shown. */
    labelFromValues: or(z.boolean(), false),
    /** The metadata key that breakdowns go by, and what one of its values is called. */
    stratum: or(z.object({ key: z.string(), label: z.string() }).nullable(), null),
    /** Whether the model was asked if a case is urgent; null where that is not known. */
    urgencyAsked: or(z.boolean().nullable(), null),
    /** The labels whose choice means to act today; null where there are none. */
    actLabels: or<readonly z.output<typeof label>[] | null>(z.array(label).nullable(), null),
    /** The reasons to defer that the task knows, each with the general reason that it is a case of. */
    deferralReasons: or(z.record(z.string(), deferralReason).nullable(), null),
  }),
  arm: z.string(),
  instructions: z.string(),
  /** The prompt that a backend of the user's own declares, with its slots unfilled. */
  promptTemplate: z.array(z.object({ role: z.string(), content: z.string() })).readonly(),
  primaryEndpoint: z.object({
    metric: z.string(),
    arm: or(z.string(), ''),
    why: or(z.string(), ''),
  }),
  model: z.string(),
  simulated: z.boolean(),
  parameters: object,
  seed: z.number(),
  /** SHA-256 of the ids of all records in the order of asking, written before the first call. */
  orderSha256: z.string(),
  /** Set for one part of a run: which of how many, and the records of all parts together. */
  shard: z.object({ index: z.int(), of: z.int(), nRecords: z.int() }),
  /** Set for a run that was put together from parts: of each the id of its run, its shard, its state and the host that was asked. */
  mergedFrom: z.array(
    z.object({
      runId: or(text, null),
      shard: or(text, null),
      status: or(text, null),
      host: or(text, null),
    }),
  ),
  /** The metadata key that names the patient, where several records are of one. */
  cluster: z.string(),
  /** Set for a run that stops as soon as its gates are decided. */
  stopEarly: stopEarlySchema,
  egress,
  /** The workers that made calls of the run, and where each sent them. */
  workers: z.array(
    z.object({ name: z.string(), provider: z.string(), host: z.string(), loopback: z.boolean() }),
  ),
});

/** How answers in text were judged, and where recorded ones came from. */
const judgingFields = (or: Nested) => ({
  /** The judge of the last session; of a jury, the first. */
  judge: z.object({ judge: z.string(), parameters: or(object, {}), promptHash: or(text, null) }),
  /** The configurations of judges that were asked for last; several are a jury. Scores are theirs. */
  judgeConfigs: z.array(z.string()),
  /** Every configuration of a judge that was asked, in the order of first use. */
  judges: z.array(
    z.object({
      /** Hash of the identity: judgements are stored under it. */
      config: z.string(),
      judge: z.string(),
      parameters: or(object, {}),
      promptHash: or(text, null),
      /** The user's own rules for the judge. */
      rules: or(text, null),
      maxOutputTokens: or(z.number().nullable(), null),
      passes: or(z.int().min(1), 1),
      egress: or(egress.nullable(), null),
      firstAsked: or(z.string(), ''),
      lastAsked: or(z.string(), ''),
    }),
  ),
  judgePasses: z.int().min(1),
  /** True once conditions on the run accepted a judge that is not calibrated. */
  allowUncalibratedJudge: z.boolean(),
  judgeEgress: egress,
  /** What the claims of answers were checked against, in the last session that checked them. */
  claimsSource: z.object({ name: z.string(), sha256: z.string() }),
  /** Rubrics by their hash. */
  rubrics: object,
  /** Hashes of the rubrics that each question is judged by. */
  rubricsOf: z.record(z.string(), z.array(z.string())),
  /** Other ways to say an instruction, by question. */
  aliasesOf: z.record(z.string(), z.record(z.string(), z.array(z.string()))),
  /** Where recorded answers came from. */
  recorded: z.object({ source: or(z.string(), 'unknown'), sha256: or(z.string(), 'unknown') }),
});

/** What came out, and what was imported. */
const resultFields = (or: Nested) => ({
  /** Where an imported run came from. */
  imported: z.object({
    format: or(z.string(), 'unknown'),
    source: or(z.string(), 'unknown'),
    sha256: or(z.string(), 'unknown'),
    hasRows: or(z.boolean().nullable(), null),
  }),
  scoresAsPublished: object,
  scoreDifferences: z.array(z.unknown()),

  /** What the baselines of the suite score on its records. */
  baselines: suiteBaselinesSchema,

  /** How the run went, in the keys of the JSON report. */
  extras: object,
  scoring: object,
  /** Of a run that was imported without rows. */
  scores: object,
  ledger: object,
});

/** Every field that a run file can hold about its run, by the names that code uses. A field that does not apply to a run is null. */
const runFields = (or: Nested) => ({ ...askingFields(or), ...judgingFields(or), ...resultFields(or) });

/** The most repeats of a run. Readers walk over all of them: a number without a limit could keep them without end. */
export const MAX_REPEATS = 100_000;

/** What makes two runs the same run; an imported run knows little of it. */
const identitySchema = (or: Nested) =>
  z.object({
    suiteHash: or(text, null),
    task: or(text, null),
    arm: or(text, null),
    model: or(text, null),
    promptHash: or(text, null),
    parameters: or(object, {}),
    batchSize: or(z.number().nullable(), null),
    repeats: or(z.int().min(1).max(MAX_REPEATS), 1),
    /** How the order of asking is made; null for open questions. */
    order: or(text, null),
  });

const kind = z.enum(['labels', 'text']);

const onWriting: Nested = (schema) => schema.optional() as typeof schema;
const onReading: Nested = (schema, fallback) => schema.catch(() => fallback);

const writtenSchema = z
  .strictObject({ ...nullable(runFields(onWriting), false), identity: identitySchema(onWriting), kind })
  .partial();

const readSchema = z.object({
  ...nullable(runFields(onReading), true),
  identity: identitySchema(onReading).catch(() => identitySchema(onReading).parse({})),
  kind: kind.catch('labels'),
});

/** What a run is: its manifest, its identity, and what reports and lists say of it. What a file does not say, or says wrongly, is null. */
export type Run = Readonly<z.output<typeof readSchema>>;

/** Fields to set; the others stay as they are. Nested objects may be incomplete: what they leave out is read as null. */
export type RunUpdate = { readonly [K in keyof Run]?: Written<Run[K]> };

/** An object of free form can be any object. */
type Written<T> = T extends Record<string, unknown> ? (string extends keyof T ? object : Partial<T>) : T;

/** Reads a run from its file form: unknown fields are ignored, missing and malformed ones are null. */
export function decodeRun(fields: Readonly<Record<string, unknown>>): Run {
  return fromFile(readSchema, fields);
}

/** Fields in their file form. An unknown or malformed one is a fault of Krisis. */
export function encodeRun(fields: RunUpdate): Readonly<Record<string, unknown>> {
  writtenSchema.parse(fields);
  return toFile(writtenSchema, fields as z.output<typeof writtenSchema>);
}

/** Fields that may be null; on reading, what is missing or malformed is null, too. */
function nullable<T extends Record<string, z.ZodType>>(fields: T, fallBack: boolean) {
  const entries = Object.entries(fields).map(([key, field]): [string, z.ZodType] => [
    key,
    fallBack ? field.nullable().catch(null) : field.nullable(),
  ]);
  return Object.fromEntries(entries) as { [K in keyof T]: z.ZodNullable<T[K]> };
}
