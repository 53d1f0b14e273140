import { z } from 'zod';
import type { Shape } from '../../core/codec.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import { buildTable } from '../../metrics/columns.ts';
import { builtInMetric } from '../../metrics/registry.ts';
import { scoreTable } from '../../metrics/score.ts';
import {
  isotonicFit,
  isotonicPredict,
  plattFit,
  plattPredict,
} from '../../statistics/methods/recalibration.ts';

export const recalibrationSchema = z.object({
  method: z.enum(['none', 'isotonic', 'platt']),
  brier: z.number().nullable(),
  ece: z.number().nullable(),
  /** The calibration error that chance alone gives, up to its 95th percentile. */
  eceByChance: z.number().nullable(),
  overconfidence: z.number().nullable(),
  /** Platt: whether wrong answers carry the higher confidence. */
  isTurnedRound: z.boolean(),
  /** Why there is no fit. */
  reason: z.enum(['too_few_rows', 'one_class']).nullable(),
});
/** Calibration of the evaluation part with confidences as they are, or mapped by a fit on the calibration part. A what-if: no threshold rests on it. */
export type Recalibration = Shape<typeof recalibrationSchema>;

interface Usable {
  readonly right: boolean;
  readonly confidence: number;
}

const MIN_ROWS = 30;
const METRICS = ['brier_top_label', 'expected_calibration_error', 'overconfidence'] as const;

/** Fits on one part, scores on the other, never both on one. */
export function recalibrations(
  calibration: readonly Usable[],
  evaluation: readonly Usable[],
): Recalibration[] {
  const confidences = calibration.map(({ confidence }) => confidence);
  const correct = calibration.map(({ right }) => right);
  const at = evaluation.map(({ confidence }) => confidence);
  const before = { method: 'none' as const, ...scored(evaluation, at), isTurnedRound: false, reason: null };
  const reason: Recalibration['reason'] =
    calibration.length < MIN_ROWS ? 'too_few_rows' : new Set(correct).size < 2 ? 'one_class' : null;
  if (reason !== null)
    return [before, ...(['isotonic', 'platt'] as const).map((method) => ({ method, ...NO_SCORES, reason }))];
  const platt = plattFit(confidences, correct)!;
  return [
    before,
    {
      method: 'isotonic',
      ...scored(evaluation, isotonicPredict(isotonicFit(confidences, correct)!, at)),
      isTurnedRound: false,
      reason: null,
    },
    {
      method: 'platt',
      ...scored(evaluation, plattPredict(platt, at)),
      isTurnedRound: platt.a < 0,
      reason: null,
    },
  ];
}

const NO_SCORES = {
  brier: null,
  ece: null,
  eceByChance: null,
  overconfidence: null,
  isTurnedRound: false,
} as const;

function scored(rows: readonly Usable[], confidences: readonly number[]) {
  const table = buildTable(
    rows.map(({ right }, i) =>
      evaluationResult({
        groundTruth: 1,
        prediction: right ? 1 : 0,
        confidence: confidences[i]!,
      }),
    ),
  );
  const metrics = METRICS.map((name) => builtInMetric(name)!);
  const [brier, ece, overconfidence] = scoreTable(table, { metrics, resamples: 0 }).scores;
  const band = ece!.details.null_band as { readonly null_p95: number } | null | undefined;
  return {
    brier: brier!.value,
    ece: ece!.value,
    eceByChance: band?.null_p95 ?? null,
    overconfidence: overconfidence!.value,
  };
}
