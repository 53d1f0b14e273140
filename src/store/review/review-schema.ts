import { z } from 'zod';
import { objectCell, UnexpectedCell } from '../stored-cells.ts';
import { REVIEW_KINDS, REVIEW_VERDICTS, type ReviewEvent } from './review-event.ts';
import { PLAN_KINDS, type ReviewDraw, type ReviewPlan } from './review-plan.ts';

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

const hex = z.string().regex(/^[0-9a-f]{64}$/);
const text = z.string().max(MAX_NOTE);
const probability = z.number().min(0).max(1);
const label = z.union([z.string(), z.number(), z.boolean()]);

const target = {
  kind: z.enum(REVIEW_KINDS),
  recordId: z.string().min(1),
  repeat: z.int().min(0).max(100_000),
  itemId: z.string().min(1).nullable(),
};

const event = z
  .strictObject({
    ...target,
    id: z.string().min(1).max(100),
    rater: z.string().regex(/^R[1-9]\d{0,5}$/),
    role: z.enum(['rater', 'adjudicator']),
    verdict: z.string().max(40),
    label: label.nullable(),
    urgent: z.boolean().nullable(),
    probability: probability.nullable(),
    reason: text.nullable(),
    note: text.nullable(),
    blind: z.boolean(),
    answerHash: hex,
    itemHash: hex,
    plan: z.string().nullable(),
    stratum: z.string().nullable(),
    inclusionProbability: probability.gt(0).nullable(),
    guideline: z.string().max(100),
    supersedes: z.string().max(100).nullable(),
    at: z.iso.datetime(),
    via: z.enum(['viewer', 'packet', 'file']),
  })
  .refine(({ kind, verdict }) => (REVIEW_VERDICTS[kind] as readonly string[]).includes(verdict), 'verdict')
  .refine(
    ({ kind, verdict, label: own }) => (kind === 'record' && verdict === 'label') === (own !== null),
    'label',
  )
  .refine(({ kind, urgent }) => kind === 'record' || urgent === null, 'urgent');

const plan = z.strictObject({
  id: z.string().min(1),
  kind: z.enum(PLAN_KINDS),
  targets: z.enum(REVIEW_KINDS),
  n: z.int().min(0),
  seed: z.int(),
  frameSize: z.int().min(0),
  frameHash: hex,
  strata: z.array(
    z.strictObject({
      id: z.string(),
      size: z.int().min(0),
      n: z.int().min(0),
      inclusionProbability: probability,
    }),
  ),
  nDouble: z.int().min(0),
  guideline: z.string(),
  guidelineText: z.string().nullable(),
  judge: z.string().nullable(),
  createdAt: z.iso.datetime(),
});

const draw = z.strictObject({
  ...target,
  plan: z.string().min(1),
  position: z.int().min(0),
  stratum: z.string(),
  inclusionProbability: probability.gt(0),
  raters: z.int().min(1).max(100),
  answerHash: hex,
  itemHash: hex,
});

/** What is wrong with an event; null where nothing is. */
export function eventProblem(given: unknown): string | null {
  const parsed = event.safeParse(given);
  if (parsed.success) return null;
  const [first] = parsed.error.issues;
  return `${first!.path.join('.') || first!.message} is not valid`;
}

export function eventCell(cell: unknown): ReviewEvent {
  return parsed(event, cell, 'a label');
}

export function planCell(cell: unknown): ReviewPlan {
  return parsed(plan, cell, 'a plan');
}

export function drawCell(cell: unknown): ReviewDraw {
  return parsed(draw, cell, 'a draw');
}

function parsed<T>(schema: z.ZodType<T>, cell: unknown, what: string): T {
  const { data, success } = schema.safeParse(objectCell(cell, what));
  if (!success) throw new UnexpectedCell(`${what} has another form`);
  return data;
}
