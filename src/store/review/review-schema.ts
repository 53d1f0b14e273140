import { z } from 'zod';
import type { Shape } from '../../core/codec.ts';
import { objectCell, UnexpectedCell } from '../stored-cells.ts';

/** "KRRV": marks an SQLite file as a review file. */
export const REVIEW_APPLICATION_ID = 0x4b525256;
export const REVIEW_VERSION = 1;

/** Texts of reviewers are cut to this on the way in: a note is not a place for a book. In UTF-16 code units. */
export const MAX_NOTE = 10_000;

/** An event, a plan and a draw are stored as canonical JSON beside the columns that queries need: the chain covers the text, and a later version can add a field. */
export const REVIEW_TABLES = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE plans (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, content TEXT NOT NULL);
  CREATE TABLE draws (plan TEXT NOT NULL, position INTEGER NOT NULL, target TEXT NOT NULL, content TEXT NOT NULL, PRIMARY KEY (plan, position), UNIQUE (plan, target)) WITHOUT ROWID;
  CREATE TABLE raters (id TEXT PRIMARY KEY, digest TEXT NOT NULL UNIQUE, name TEXT) WITHOUT ROWID;
  CREATE TABLE packets (hash TEXT PRIMARY KEY, rater TEXT NOT NULL, role TEXT NOT NULL, blind INTEGER NOT NULL, plan TEXT NOT NULL, created_at TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE events (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, target TEXT NOT NULL, rater TEXT NOT NULL, supersedes TEXT UNIQUE, content TEXT NOT NULL, hash TEXT NOT NULL);
  CREATE INDEX events_by_target ON events (target, rater);
`;

/**
 * What a review is about. `item`: whether an answer says a rubric item. `record`: what the right decision on a record is, decided without sight of the model and of the suite's label.
 * `suite_item`: whether the record, or the rubric line itself, is right. The three are never pooled.
 */
export const REVIEW_KINDS = ['item', 'record', 'suite_item'] as const;
export type ReviewKind = (typeof REVIEW_KINDS)[number];

/** What a reviewer can say, by kind. `skip` is stored, counted as progress, and is in no estimate. */
const REVIEW_VERDICTS: Readonly<Record<ReviewKind, readonly string[]>> = {
  item: ['present', 'absent', 'contradicted', 'unclear', 'skip'],
  record: ['label', 'defer', 'cannot_tell', 'skip'],
  suite_item: ['right', 'wrong', 'ambiguous', 'skip'],
};

/**
 * How targets are drawn. `random`: all alike. `verdict`: by what the judge said. `disagreement`: by whether judges, passes or repeats agree. `severity`: every critical item (or must-act record) and some of the rest.
 * `outcome`: by how the row ended. `questions`: whole questions, with all items of their answers.
 * `cases`: exactly those of a list, which someone chose: their labels are in no estimate.
 */
export const PLAN_KINDS = [
  'random',
  'verdict',
  'disagreement',
  'severity',
  'outcome',
  'questions',
  'cases',
] as const;
export type PlanKind = (typeof PLAN_KINDS)[number];

const hex = z.string().regex(/^[0-9a-f]{64}$/);
const text = z.string().max(MAX_NOTE);
const probability = z.number().min(0).max(1);

const target = z.strictObject({
  kind: z.enum(REVIEW_KINDS),
  recordId: z.string().min(1),
  /** Which answer to the record; 0 for `record` and `suite_item`. */
  repeat: z.int().min(0).max(100_000),
  /** The id of the rubric item; null where the whole record is reviewed. */
  itemId: z.string().min(1).nullable(),
});

/** What a label is about, by name. */
export type ReviewTarget = Shape<typeof target>;

/** The texts that the reviewer saw. */
const hashes = {
  /** SHA-256 of the answer (`item`), or of the record as shown (`record`, `suite_item`). */
  answerHash: hex,
  /** SHA-256 of the item text; of the empty text where there is no item. */
  itemHash: hex,
};

const event = z
  .strictObject({
    ...target.shape,
    id: z.string().min(1).max(100),
    /** A pseudonym (`R1`) unless the reviewer agreed to be named. */
    rater: z.string().regex(/^R[1-9]\d{0,5}$/),
    role: z.enum(['rater', 'adjudicator']),
    /** One of `REVIEW_VERDICTS` of its kind. */
    verdict: z.string().max(40),
    /** The label that the reviewer decided on; null unless kind is `record` and verdict is `label`. */
    label: z.union([z.string(), z.number(), z.boolean()]).nullable(),
    /** Whether anything in the record needs action today, independently of the verdict; null where it was not asked or not stated, and for kinds other than `record`. */
    urgent: z.boolean().nullable(),
    /** How sure the reviewer is, from 0 to 1; null where not stated. */
    probability: probability.nullable(),
    reason: text.nullable(),
    note: text.nullable(),
    /** False if the reviewer saw the judge's verdict, the model or the suite's label: such labels are in no agreement and no correction. */
    blind: z.boolean(),
    ...hashes,
    /** The plan that drew the target; null for a label picked by hand. */
    plan: z.string().nullable(),
    stratum: z.string().nullable(),
    /** The probability with which the plan drew the target; null for a label picked by hand, which is in no estimate. */
    inclusionProbability: probability.gt(0).nullable(),
    /** The version of the reviewing guideline. */
    guideline: z.string().max(100),
    supersedes: z.string().max(100).nullable(),
    /** ISO 8601. */
    at: z.iso.datetime(),
    via: z.enum(['viewer', 'packet', 'file']),
  })
  .refine(({ kind, verdict }) => REVIEW_VERDICTS[kind].includes(verdict), 'verdict')
  .refine(
    ({ kind, verdict, label }) => (kind === 'record' && verdict === 'label') === (label !== null),
    'label',
  )
  .refine(({ kind, urgent }) => kind === 'record' || urgent === null, 'urgent');

/** One label as a person gave it. Events are appended, never edited or deleted; a correction is a new event that names the old one in `supersedes`. */
export type ReviewEvent = Shape<typeof event>;

const plan = z.strictObject({
  /** The beginning of the hash of everything below and of the draws: a plan cannot be changed under its name. */
  id: z.string().min(1),
  kind: z.enum(PLAN_KINDS),
  /** What is labelled: items of answers, records of a run with labels, or the test itself (its rubric lines, or its records with their labels). */
  targets: z.enum(REVIEW_KINDS),
  /** How many labels were asked for. What was drawn can be fewer (a small frame) or more (critical items, whole questions). */
  n: z.int().min(0),
  seed: z.int(),
  /** Targets that could have been drawn. */
  frameSize: z.int().min(0),
  /** SHA-256 of all targets that could have been drawn, with their strata. */
  frameHash: hex,
  /** Targets that are drawn with one probability. */
  strata: z.array(
    z.strictObject({
      id: z.string(),
      /** Targets in it; for `questions`, questions. */
      size: z.int().min(0),
      /** How many of them were drawn. */
      n: z.int().min(0),
      /** n / size. 0 for a stratum from which nothing was drawn: it is outside what the labels speak of. */
      inclusionProbability: probability,
    }),
  ),
  /** How many of the drawn targets are for two raters. */
  nDouble: z.int().min(0),
  /** The version of the guideline: `krisis/1`, or the beginning of the hash of a text of your own. */
  guideline: z.string(),
  /** The text that reviewers see; null for the definitions of the verdicts alone. */
  guidelineText: z.string().nullable(),
  /** The judge, or jury, whose verdicts made the strata; null where no verdict did. */
  judge: z.string().nullable(),
  /** ISO 8601. */
  createdAt: z.iso.datetime(),
});

/** How the targets of a review were chosen, fixed before the first label. */
export type ReviewPlan = Shape<typeof plan>;

const draw = z.strictObject({
  ...target.shape,
  plan: z.string().min(1),
  /** The place in the shuffled order, from 0. */
  position: z.int().min(0),
  stratum: z.string(),
  inclusionProbability: probability.gt(0),
  /** Raters that should label it: 1, or 2. */
  raters: z.int().min(1).max(100),
  ...hashes,
});

/** One target that a plan drew. */
export type ReviewDraw = Shape<typeof draw>;

/** A reviewer. */
export interface ReviewRater {
  /** `R1`, `R2`, ... */
  readonly id: string;
  /** Null unless the reviewer agreed to be named. */
  readonly name: string | null;
}

/** Everything that a review file holds. */
export interface Review {
  readonly runId: string | null;
  readonly suiteHash: string | null;
  readonly plans: readonly ReviewPlan[];
  /** In the order of plans and positions. */
  readonly draws: readonly ReviewDraw[];
  /** In the order in which they were stored. */
  readonly events: readonly ReviewEvent[];
  readonly raters: readonly ReviewRater[];
  /** The last event; null before the first. What is computed from a review names it, so that it can be computed again. */
  readonly head: { readonly id: string; readonly n: number; readonly hash: string } | null;
}

/** What is wrong with an event; null where nothing is. */
export function eventProblem(value: unknown): string | null {
  const [issue] = event.safeParse(value).error?.issues ?? [];
  return issue === undefined ? null : `${issue.path.join('.') || issue.message} is not valid`;
}

const cellReader =
  <S extends z.ZodType>(schema: S, what: string) =>
  (cell: unknown): Shape<S> => {
    const { data, success } = schema.safeParse(objectCell(cell, what));
    if (!success) throw new UnexpectedCell(`${what} has another form`);
    return data as Shape<S>;
  };
export const eventCell = cellReader(event, 'a label');
export const planCell = cellReader(plan, 'a plan');
export const drawCell = cellReader(draw, 'a draw');
