import INVALID from './invalid-reasons.json' with { type: 'json' };
import { isBlank, type Label } from './label.ts';

/**
 * The outcome of one question to a model.
 * - `answered`: a usable answer.
 * - `abstained`: the model declined to answer, whatever else it wrote.
 * - `invalid`: the model replied outside the schema: wrong, never an abstention.
 * - `refused`: a policy refusal; scored like `invalid`, counted separately.
 * - `failed`: the call failed (provider error, timeout, truncation, ...): never scored.
 * - `not_run`: never asked: never scored.
 */
export const ROW_STATES = ['answered', 'abstained', 'invalid', 'refused', 'failed', 'not_run'] as const;
/** How a row ended. `answered`, `abstained`, `invalid` and `refused` are the model's behaviour and are scored; `failed` and `not_run` are not. */
export type RowState = (typeof ROW_STATES)[number];

/** Whether a state says something about the model; `failed` and `not_run` do not. */
export function isScored(state: RowState): boolean {
  return state !== 'failed' && state !== 'not_run';
}

/** Why a reply makes an invalid row. Of a row about protected records no other reason is stored. */
export const INVALID_REASONS: readonly string[] = Object.keys(INVALID);

/**
 * Why a reply could not be used, in words. A reason that a backend of the user's own states is shown as it is.
 *
 * @example
 * ```ts
 * invalidWords('no_json') // => 'the reply had no JSON'
 * ```
 */
export function invalidWords(reason: string | null): string {
  if (reason === null) return 'no reason stated';
  if (reason === 'other') return 'another reason';
  return Object.hasOwn(INVALID, reason) ? INVALID[reason as keyof typeof INVALID] : reason;
}

/**
 * The state of a row that does not carry one.
 *
 * @example
 * ```ts
 * inferState({ abstained: true, prediction: 'present' }) // => 'abstained'
 * inferState({ abstained: false, prediction: null }) // => 'invalid'
 * inferState({ abstained: false, prediction: 0 }) // => 'answered'
 * ```
 */
export function inferState(row: { abstained: boolean; prediction: Label | null }): RowState {
  if (row.abstained) return 'abstained';
  return isBlank(row.prediction) ? 'invalid' : 'answered';
}

/**
 * The states of a run. `running`: a process is writing it now. `waiting`: it was handed over and nothing has come back yet. `complete`: every selected record has its rows.
 * `interrupted`: it ended before it was complete and can be continued. `stopped`: no call could succeed (key, quota, budget). `stopped_early`: a gate was decided before all
 * records were asked.
 */
export const RUN_STATUSES = [
  'running',
  'waiting',
  'complete',
  'interrupted',
  'stopped',
  'stopped_early',
] as const;

export type RunStatus = (typeof RUN_STATUSES)[number];

/** The answer in files that have only scores, where the score is neither 0 nor 1. */
export const PARTLY_RIGHT = 'partly right';

/** Whether another tool scored the answer as neither right nor wrong. */
export function isPartlyRight(row: { readonly score?: unknown; readonly prediction: unknown }): boolean {
  return row.score != null && row.prediction === PARTLY_RIGHT;
}
