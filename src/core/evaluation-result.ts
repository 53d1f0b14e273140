import { z } from 'zod';
import { isObject } from './collections.ts';
import { isBlank, type Label } from './label.ts';
import { inferState, PARTLY_RIGHT, ROW_STATES, type RowState } from './states.ts';

/**
 * One answer of one model to one record, with the truth beside it.
 *
 * @example
 * ```ts
 * const row = evaluationResult({ prediction: 'present', groundTruth: 'present', confidence: 0.9 });
 * row.state // => 'answered'
 * ```
 */
export interface EvaluationResult {
  /** The record's id. Default: null, a row that belongs to no known record. */
  readonly id: string | null;
  /** Default: inferred from `abstained` and `prediction`. */
  readonly state: RowState;
  /** Why the row is `failed` or `invalid`: `timeout`, `truncated`, `schema`, ... Default: null. */
  readonly stateReason: string | null;
  /** The model's answer. Default: null, no answer. */
  readonly prediction: Label | null;
  /** The true label. Null with `should_abstain: true` means that no answer exists; null without it, that the row has no label. */
  readonly groundTruth: Label | null;
  /** Whether the model declined to answer. Default: false, or true where `state` is `abstained`. */
  readonly abstained: boolean;
  /** The stated probability that the answer is right. Default: null, none was stated. */
  readonly confidence: number | null;
  /** Whether the model says that the case needs action today, whatever its answer is. Default: null, it does not say. */
  readonly urgent: boolean | null;
  /** Why the model declined to answer, as a code. Default: null, no reason was given or asked for. */
  readonly deferralReason: string | null;
  /** The call that asked about the record together with others: rows of one call are one cluster. Default: null, asked alone or not known. */
  readonly call: string | null;
  /** How right the answer is, 0 to 1, as another tool scored it: in place of a comparison with the truth. Default: null, the prediction is compared. */
  readonly score?: number | null;
  /** How right the answer is by people, who check some scores, 0 to 1. Default: null, nobody checked it. */
  readonly checked?: number | null;
  /** Anything else about the record; `should_abstain` says whether deferring is right, `must_act` whether the case needs action today. Default: {}. */
  readonly metadata: { readonly [key: string]: unknown };
}

/** Completes a row: missing fields are null, and the state is inferred from the rest. */
export function evaluationResult(
  row: Partial<EvaluationResult> & Pick<EvaluationResult, 'groundTruth'>,
): EvaluationResult {
  const prediction = row.prediction ?? null;
  const abstained = row.abstained ?? row.state === 'abstained';
  return {
    id: row.id ?? null,
    state: row.state ?? inferState({ abstained, prediction }),
    stateReason: row.stateReason ?? null,
    prediction,
    groundTruth: row.groundTruth,
    abstained,
    confidence: row.confidence ?? null,
    urgent: row.urgent ?? null,
    deferralReason: row.deferralReason ?? null,
    call: row.call ?? null,
    ...(row.score != null && { score: row.score }),
    ...(row.checked != null && { checked: row.checked }),
    metadata: row.metadata ?? {},
  };
}

/** The placeholder for truth and answer in files that have only scores. */
const RIGHT = 'right';
const WRONG = 'wrong';

/** A score as the answer to the question whether the model was right. */
function scoreLabel(score: number): string {
  return score === 1 ? RIGHT : score === 0 ? WRONG : PARTLY_RIGHT;
}

const label = z.union([z.string(), z.number(), z.boolean()], {
  error: 'a string, a number, true, false or null',
});
const FAILED = 'failed_';
const SCORE_RANGE = 'a number from 0 to 1, true or false';
const scoreSchema = z
  .union([z.number(), z.boolean()], { error: SCORE_RANGE })
  .refine((score) => Number(score) >= 0 && Number(score) <= 1, { error: SCORE_RANGE })
  .nullish();

/**
 * A row in its file form: snake_case, `failed_<reason>` in one word. Other fields (raw responses, tokens, ...) are allowed and
 * ignored.
 */
export const rowSchema = z.object({
  id: z.union([z.string(), z.number()], { error: 'a string or a number' }).nullish(),
  state: z
    .union([z.enum(ROW_STATES), z.templateLiteral([FAILED, z.string().min(1)])], {
      error: `one of ${ROW_STATES.join(', ')}, or failed_<reason>`,
    })
    .nullish(),
  state_reason: z.string({ error: 'a string' }).nullish(),
  prediction: label.nullish(),
  ground_truth: label.nullish(),
  abstained: z.boolean({ error: 'true or false (not text, not 0 or 1)' }).nullish(),
  confidence: z.number({ error: 'a number between 0 and 1, or null' }).nullish(),
  urgent: z.boolean({ error: 'true, false or null (not stated)' }).nullish(),
  deferral_reason: z.string({ error: 'a string or null' }).nullish(),
  call: z.union([z.string(), z.number()], { error: 'a string or a number' }).nullish(),
  score: scoreSchema,
  checked: scoreSchema,
  model: z.union([z.string(), z.number()], { error: 'a string' }).nullish(),
  repeat: z.union([z.string(), z.number()], { error: 'a string or a number' }).nullish(),
  metadata: z.record(z.string(), z.unknown(), { error: 'an object' }).nullish(),
});

const isStringOrNull = (value: unknown) => value == null || typeof value === 'string';
const isFlag = (value: unknown) => value == null || typeof value === 'boolean';
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
const isTextOrNumber = (value: unknown) => isStringOrNull(value) || isNumber(value);
const isLabel = (value: unknown) => isTextOrNumber(value) || typeof value === 'boolean';

/** Whether a row without a state fits `rowSchema`, as nearly all do: the schema takes a quarter of the time of reading a file of a million rows. */
function isOrdinary(row: Readonly<Record<string, unknown>>): boolean {
  const { metadata } = row;
  return (
    row.state == null &&
    isTextOrNumber(row.id) &&
    isStringOrNull(row.state_reason) &&
    isLabel(row.prediction) &&
    isLabel(row.ground_truth) &&
    isFlag(row.abstained) &&
    (row.confidence == null || isNumber(row.confidence)) &&
    isFlag(row.urgent) &&
    isStringOrNull(row.deferral_reason) &&
    isTextOrNumber(row.call) &&
    isTextOrNumber(row.repeat) &&
    isTextOrNumber(row.model) &&
    row.score == null &&
    row.checked == null &&
    (metadata == null || (isPlainObject(metadata) && !Object.hasOwn(metadata, '__proto__')))
  );
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The problem with one field of a row. */
export interface RowProblem {
  readonly field: string;
  readonly value: unknown;
  readonly expected: string;
}

/**
 * Reads one row of a file, or reports which field is wrong and what was expected.
 *
 * @example
 * ```ts
 * parseRow({ prediction: 1, ground_truth: 1, abstained: 'false' })
 * // => { problem: { field: 'abstained', value: 'false', expected: 'true or false (not text, not 0 or 1)' } }
 * ```
 */
export function parseRow(value: unknown): { row: EvaluationResult } | { problem: RowProblem } {
  return parseAnswer(isObject(value) ? withScoreLabels(value) : value);
}

/** A row with a score and no truth: the score says whether the answer is right. A scored row without a score has no usable answer. */
function withScoreLabels(value: { readonly [key: string]: unknown }): unknown {
  if (value.score === undefined || value.ground_truth != null || value.prediction != null) return value;
  const score = typeof value.score === 'boolean' ? Number(value.score) : value.score;
  const isScore = typeof score === 'number' && score >= 0 && score <= 1;
  return { ...value, ground_truth: RIGHT, prediction: isScore ? scoreLabel(score) : null };
}

function parseAnswer(value: unknown): { row: EvaluationResult } | { problem: RowProblem } {
  if (!isObject(value)) {
    return problem('row', value, 'an object with prediction, ground_truth, abstained and confidence');
  }
  const parsed = isOrdinary(value) ? null : rowSchema.safeParse(value);
  if (parsed?.success === false) {
    const issue = parsed.error.issues[0]!;
    const field = issue.path.length > 0 ? issue.path.join('.') : 'row';
    return problem(field, at(value, issue.path), issue.message);
  }
  const wire = parsed === null ? (value as z.infer<typeof rowSchema>) : parsed.data;
  if (wire.ground_truth === undefined) {
    return problem('ground_truth', undefined, 'the true label, or null where there is none');
  }
  const prediction = wire.prediction ?? null;
  const declared = wire.state?.startsWith(FAILED) ? 'failed' : (wire.state as RowState | null | undefined);
  const abstained = wire.abstained ?? declared === 'abstained';
  if (wire.abstained === null && declared == null)
    return problem('abstained', wire.abstained, 'true or false');
  const state = declared ?? inferState({ abstained, prediction });
  if (wire.prediction === undefined && declared == null && !abstained) {
    return problem('prediction', undefined, 'the answer, or null where the model gave none');
  }
  if (declared != null && (declared === 'answered' || declared === 'abstained')) {
    if (abstained !== (declared === 'abstained')) {
      return problem('abstained', abstained, `${declared === 'abstained'}, because state is "${declared}"`);
    }
    if (declared === 'answered' && isBlank(prediction)) {
      return problem('prediction', prediction, 'an answer, because state is "answered"');
    }
  }
  const metadata = wire.metadata ?? {};
  const shouldAbstain = metadata.should_abstain;
  if (shouldAbstain != null && typeof shouldAbstain !== 'boolean') {
    return problem('metadata.should_abstain', shouldAbstain, 'true, false or null (unlabelled)');
  }
  if (metadata.must_act != null && typeof metadata.must_act !== 'boolean') {
    return problem('metadata.must_act', metadata.must_act, 'true, false or null (unknown)');
  }
  const groundTruth = isBlank(wire.ground_truth) ? null : (wire.ground_truth as Label);
  return {
    row: {
      id: wire.id == null ? null : String(wire.id),
      state,
      stateReason: wire.state?.startsWith(FAILED)
        ? wire.state.slice(FAILED.length)
        : (wire.state_reason ?? null),
      prediction,
      groundTruth,
      abstained,
      confidence: wire.confidence ?? null,
      urgent: wire.urgent ?? null,
      deferralReason: wire.deferral_reason ?? null,
      call: wire.call == null ? null : String(wire.call),
      ...(wire.score != null && state === 'answered' && { score: Number(wire.score) }),
      ...(wire.checked != null && state === 'answered' && { checked: Number(wire.checked) }),
      metadata,
    },
  };
}

/** A row in its file form: `parseRow` reads it back unchanged. */
export function rowToWire(row: EvaluationResult): Record<string, unknown> {
  return {
    ...(row.id === null ? {} : { id: row.id }),
    state: row.state,
    ...(row.stateReason === null ? {} : { state_reason: row.stateReason }),
    prediction: row.prediction,
    ground_truth: row.groundTruth,
    abstained: row.abstained,
    confidence: row.confidence,
    ...(row.urgent === null ? {} : { urgent: row.urgent }),
    ...(row.deferralReason === null ? {} : { deferral_reason: row.deferralReason }),
    ...(row.call === null ? {} : { call: row.call }),
    ...(row.score == null ? {} : { score: row.score }),
    ...(row.checked == null ? {} : { checked: row.checked }),
    metadata: row.metadata,
  };
}

function problem(field: string, value: unknown, expected: string): { problem: RowProblem } {
  return { problem: { field, value, expected } };
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null)?.[key], value);
}
