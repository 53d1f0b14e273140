import { z } from 'zod';
import { isShareByRow } from '../../analyses/early-stop/gated-rows.ts';
import type { Shape } from '../../core/codec.ts';
import { KrisisError } from '../../core/errors.ts';
import type { Metric } from '../../metrics/metric.ts';
import {
  earlyStopPlanSchema,
  planEarlyStops,
  rowsNeededAllRight,
  sequentialAlpha,
} from '../../statistics/methods/early-stop-plan.ts';
import { DEFAULT_MIN_N } from '../../statistics/methods/sequential-gate.ts';
import { gatePower, rowsForGate } from '../../statistics/power.ts';
import { DEFAULT_LEVEL } from '../../statistics/score-options.ts';
import type { Gate } from '../conditions/expression.ts';

const plannedPowerSchema = z.object({
  power: z.number(),
  /** Rows of a run that asks all; null where no number suffices. */
  rows: z.number().nullable(),
  /** Rows to have ready for a run that stops early, and how many of them it asks; null where no number up to 20,000 suffices. */
  early: z.object({ rows: z.number(), ...earlyStopPlanSchema.shape }).nullable(),
});
/** The rows that a gate needs to pass with some power. */
export type PlannedPower = Shape<typeof plannedPowerSchema>;

const plannedSuiteSchema = z.object({
  rows: z.number(),
  /** The chance that it passes when all rows are asked. */
  pass: z.number(),
  /** How a run that stops early ends; null above 20,000 rows. */
  early: earlyStopPlanSchema.nullable(),
});
/** What a gate does on a suite. */
export type PlannedSuite = Shape<typeof plannedSuiteSchema>;

export const plannedGateSchema = z.object({
  /** As it was written. */
  gate: z.string(),
  metric: z.string(),
  limit: z.number(),
  expected: z.number(),
  /** Whether what is expected meets the condition: if not, no number of records helps. */
  isMet: z.boolean(),
  level: z.number(),
  /** Error of one side with early stopping, after division over models and gates. */
  alphaSide: z.number(),
  /** Whether the metric counts answered rows only, so that more records than rows are needed. */
  isOverAnswered: z.boolean(),
  /** One line for each power: 0.8 and 0.9. */
  powers: z.array(plannedPowerSchema),
  /** The fewest rows after which early stopping can pass, all of them right; null where no number suffices. */
  fewestRows: z.number().nullable(),
  /** On a suite of this size; null where none was named. */
  suite: plannedSuiteSchema.nullable(),
});
/** What a gate needs, if its metric really is `expected`. */
export type PlannedGate = Shape<typeof plannedGateSchema>;

const POWERS = [0.8, 0.9];
/** The exact recursion takes seconds above it. */
const MAX_EARLY = 20_000;

/**
 * How many records a gate on a share needs: when all are asked, and with early stopping. Rows count as independent.
 *
 * @throws KrisisError for a gate that is not on a bound of a share.
 */
export function planGate(
  gate: Gate,
  metric: Metric | undefined,
  {
    expected,
    nGates = 1,
    nModels = 1,
    nRows = null,
    level = DEFAULT_LEVEL,
  }: {
    /** What the metric really is. */
    readonly expected: number;
    /** Gates that share the error of early stopping. Default: 1. */
    readonly nGates?: number;
    /** Models that are tested by the same gates. Default: 1. */
    readonly nModels?: number;
    /** Rows of the suite. Default: not known. */
    readonly nRows?: number | null;
    /** Default: 0.95. */
    readonly level?: number;
  },
): PlannedGate {
  const isFloor = gate.operator === '>=' || gate.operator === '>';
  const isBound = gate.of !== 'value' && isFloor === (gate.of === 'lower') && /[<>]/.test(gate.operator);
  if (metric === undefined || !isShareByRow(metric) || !isBound)
    throw new KrisisError(
      `'${gate.text}' cannot be planned: it needs lower(...) >= or upper(...) <= of a share, such as accuracy, decision_accuracy or unsafe_decision_rate; a plain value claims nothing beyond the cases asked`,
      { code: 'ERR_GATE_INVALID', value: gate.text },
    );
  // On a scale where more is better.
  const turned = (value: number) => (isFloor ? value : 1 - value);
  const shares = { limit: turned(gate.limit), expected: turned(expected) };
  const alphaSide = sequentialAlpha({ nModels, nGates }, { level })!;
  const early = { ...shares, alphaSide };
  const fewest = rowsNeededAllRight(shares.limit, alphaSide);
  return {
    gate: gate.text,
    metric: metric.name,
    limit: gate.limit,
    expected,
    isMet: shares.expected > shares.limit,
    level,
    alphaSide,
    isOverAnswered: metric.answeredOnly === true,
    powers: POWERS.map((power) => {
      const rows = rowsForGate({ ...shares, power, level });
      // Stopping early needs more records ready than asking all: a search beyond them finds none.
      return { power, rows, early: rows === null || rows > MAX_EARLY ? null : earlyRows(power, early) };
    }),
    fewestRows: fewest && Math.max(fewest, DEFAULT_MIN_N),
    suite:
      nRows === null
        ? null
        : {
            rows: nRows,
            pass: gatePower({ ...shares, n: nRows, level }),
            early: nRows > MAX_EARLY ? null : planEarlyStops({ ...early, nTotal: nRows }),
          },
  };
}

/** The fewest rows, to about one in fifty, with which a run that stops early passes with some power. */
function earlyRows(
  power: number,
  gate: { readonly limit: number; readonly expected: number; readonly alphaSide: number },
): PlannedPower['early'] {
  const planned = (nTotal: number) => planEarlyStops({ ...gate, nTotal })!;
  let high = 64;
  while (high < MAX_EARLY && planned(high).pass < power) high = Math.min(MAX_EARLY, high * 2);
  if (planned(high).pass < power) return null;
  let low = high / 2;
  while (high - low > Math.max(1, high / 50)) {
    const middle = Math.floor((low + high) / 2);
    if (planned(middle).pass >= power) high = middle;
    else low = middle;
  }
  return { rows: high, ...planned(high) };
}
