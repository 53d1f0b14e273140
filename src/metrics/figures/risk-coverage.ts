import type { Columns } from '../columns.ts';
import { type ConfidenceBlocks, isUsable } from '../confidence-blocks.ts';
import { NO_LABEL } from '../label-table.ts';
import { type CurvePoint, curveOf, thin } from '../selective/curve.ts';

/** More points cannot be distinguished in a plot. */
const MAX_POINTS = 400;
const ORACLE_POINTS = 100;

export interface RiskCoverage {
  /** Coverage is relative to all scored rows, so that abstaining shows. */
  readonly points: readonly CurvePoint[];
  /** Selective risk of accepting answers at random: the error rate of usable rows; null when there are none. */
  readonly random: number | null;
  /** The best curve these errors allow. */
  readonly oracle: readonly { readonly coverage: number; readonly selective_risk: number }[];
  readonly nUsable: number;
  /** Emergencies that have a label, and those of them without an answer to accept, which no point of the curve shows. */
  readonly emergencies: { readonly n: number; readonly unanswered: number };
}

/** The curve of strict risk: an answer on a row that should be deferred is a failure, right or wrong. */
export function riskCoverage(blocks: ConfidenceBlocks, nScored: number, columns: Columns): RiskCoverage {
  const answered = nScored === 0 ? 0 : blocks.n / nScored;
  const points = thin(curveOf(blocks), MAX_POINTS).map((point) => ({
    ...point,
    coverage: point.coverage * answered,
    generalized_risk: point.generalized_risk * answered,
  }));
  return {
    points,
    random: blocks.n === 0 ? null : blocks.nErrors / blocks.n,
    oracle: oracle(blocks, nScored),
    nUsable: blocks.n,
    emergencies: emergenciesIn(columns),
  };
}

function emergenciesIn(columns: Columns): RiskCoverage['emergencies'] {
  let [n, unanswered] = [0, 0];
  for (let i = 0; i < columns.n; i++) {
    if (columns.mustAct[i] !== 1 || columns.truth[i] === NO_LABEL) continue;
    n += 1;
    if (!isUsable(columns, i)) unanswered += 1;
  }
  return { n, unanswered };
}

/** All right answers first: no risk while they last, then only errors. */
function oracle({ n, nErrors }: ConfidenceBlocks, nScored: number): RiskCoverage['oracle'] {
  if (n === 0) return [];
  const nRight = n - nErrors;
  const steps = Math.min(nErrors, ORACLE_POINTS);
  const added = Array.from({ length: steps }, (_, i) => Math.round(((i + 1) / steps) * nErrors));
  const accepted = new Set([1, Math.max(1, nRight), ...added.map((errors) => nRight + errors)]);
  return [...accepted].map((k) => ({
    coverage: k / nScored,
    selective_risk: Math.max(0, k - nRight) / k,
  }));
}
