import { snakeKeys } from '../../core/index.ts';
import type { JudgeReport } from '../../results/index.ts';

/** Who judged, and how far the judges can be trusted, in file form. */
export function judgeObject(judge: JudgeReport) {
  const { calibration } = judge;
  return {
    names: judge.names,
    judges: judge.judges.map(snakeKeys),
    ledger: judge.ledger,
    reliability: judge.reliability.map((found) => ({
      ...snakeKeys(found),
      flipped: found.flipped.map(snakeKeys),
    })),
    between_judges: judge.between.map(snakeKeys),
    calibrated: judge.status === 'calibrated',
    status: judge.status,
    headline: judge.headline,
    evidence: judge.evidence && snakeKeys(judge.evidence),
    calibration_reason: judge.calibrationReason,
    calibration: calibration && {
      status: calibration.status,
      n_double_rated: calibration.nDoubleRated,
      n_disputed: calibration.nDisputed,
      overall: snakeKeys(calibration.overall),
      by_trait: Object.fromEntries(
        Object.entries(calibration.byTrait).map(([name, found]) => [
          name,
          { ...snakeKeys(found), status: snakeKeys(found.status) },
        ]),
      ),
      unmatched: calibration.unmatched.map(({ label, reason }) => ({ line: label.line, reason })),
    },
  };
}
