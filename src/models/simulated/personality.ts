import { KrisisError } from '../../core/errors.ts';
import { didYouMean } from '../../core/near-names.ts';
import personalities from './personalities.json' with { type: 'json' };

/** How a simulated model behaves. Rates are from 0 to 1. */
export interface Personality {
  /** Share of its answers that are right. */
  readonly accuracy: number;
  /** How much cases differ in difficulty: 0 not at all, 1 from hopeless to certain. */
  readonly spread: number;
  /** How overconfident it is: 0 calibrated, 1 always certain, below 0 underconfident. */
  readonly overconfidence: number;
  /** Share of must-defer rows it defers on. */
  readonly deferral_recall: number;
  /** Share of rows safe to answer that it defers on. */
  readonly needless_deferral: number;
  /** Share of emergencies that it calls urgent. */
  readonly urgency_recall: number;
  /** Share of other cases that it calls urgent. */
  readonly false_alarms: number;
  /** Share of rows answered outside the schema. */
  readonly invalid: number;
  /** Share of rows it refuses. */
  readonly refusal: number;
  /** Share of batch replies that cannot be read; half of their rows are still usable. */
  readonly malformed: number;
  /** Share of calls that fail the first time and succeed the second. */
  readonly flaky: number;
  /** Share of records on which every call fails. */
  readonly poisoned: number;
  /** How long each call takes. */
  readonly latency_ms: number;
}

/** Simulated models, which need no key. None of them models anything real. */
export const PERSONALITIES: Readonly<Record<string, Personality>> = Object.fromEntries(
  Object.entries(personalities).map(([name, changes]) => [name, { ...personalities.careful, ...changes }]),
);

/**
 * Reads `careful`, or a personality with changes: `careful?accuracy=0.8&malformed=0.1`.
 *
 * @example
 * ```ts
 * parsePersonality('careful?accuracy=0.8').accuracy // => 0.8
 * ```
 */
export function parsePersonality(text: string): Personality {
  const mark = text.indexOf('?');
  const [name, changes] = mark < 0 ? [text, ''] : [text.slice(0, mark), text.slice(mark + 1)];
  const base = Object.hasOwn(PERSONALITIES, name) ? PERSONALITIES[name] : undefined;
  if (base === undefined) {
    throw new KrisisError(`no simulated model "${name}"; ${didYouMean(name, Object.keys(PERSONALITIES))}`, {
      value: name,
      code: 'ERR_MODEL_NOT_FOUND',
    });
  }
  const changed: Record<string, number> = {};
  for (const [key, value] of new URLSearchParams(changes)) {
    const number = Number(value);
    if (!Object.hasOwn(base, key))
      throw new KrisisError(`simulated model: no setting "${key}"; ${didYouMean(key, Object.keys(base))}`, {
        value: key,
        code: 'ERR_MODEL_SETTING',
      });
    const [least, most] = key === 'latency_ms' ? [0, 600_000] : key === 'overconfidence' ? [-1, 1] : [0, 1];
    if (value.trim() === '' || !(number >= least! && number <= most!)) {
      throw new KrisisError(
        `simulated model: ${key} is "${value}"; expected a number from ${least} to ${most}`,
        { value, code: 'ERR_MODEL_SETTING' },
      );
    }
    changed[key] = number;
  }
  return { ...base, ...changed };
}
