import type { JudgeReport } from '../../results/index.ts';
import type { JudgeAgainstHumans } from '../../rubrics/index.ts';

/** Who judged, and how far the judges can be trusted, in file form. */
export function judgeObject(judge: JudgeReport) {
  const { calibration } = judge;
  return {
    names: judge.names,
    judges: judge.judges.map(({ name, passes, nJudgements, promptHashes }) => ({
      name,
      passes,
      n_judgements: nJudgements,
      prompt_hashes: promptHashes,
    })),
    ledger: judge.ledger,
    reliability: judge.reliability.map((found) => ({
      judge: found.judge,
      passes: found.passes,
      agreement: found.agreement,
      flip_rate: found.flipRate,
      fleiss_kappa: found.fleissKappa,
      n_compared: found.nCompared,
      n_unusable: found.nUnusable,
      reason: found.reason,
      flipped: found.flipped.map(({ id, repeat, itemId, verdicts }) => ({
        id,
        repeat,
        item_id: itemId,
        verdicts,
      })),
    })),
    between_judges: judge.between.map(({ judges, agreement, kappa, nCompared, nUnusable, reason }) => ({
      judges,
      agreement,
      kappa,
      n_compared: nCompared,
      n_unusable: nUnusable,
      reason,
    })),
    calibrated: calibration !== null,
    calibration_reason: judge.calibrationReason,
    calibration: calibration && {
      overall: againstObject(calibration.overall),
      by_trait: Object.fromEntries(
        Object.entries(calibration.byTrait).map(([name, found]) => [name, againstObject(found)]),
      ),
      unmatched: calibration.unmatched.map(({ label, reason }) => ({ line: label.line, reason })),
    },
  };
}

function againstObject(found: JudgeAgainstHumans) {
  return {
    kappa: found.kappa,
    sensitivity: found.sensitivity,
    specificity: found.specificity,
    n_compared: found.nCompared,
    n_unclear: found.nUnclear,
    n_unusable: found.nUnusable,
  };
}
