import { inWords } from '../../reports/words.ts';
import { holds } from '../../runs/conditions/expression.ts';
import type { GateVerdict } from '../../runs/conditions/verdict.ts';
import type { Analysis } from '../analysis.ts';
import type { RunThreshold } from './run-threshold.ts';
import { emergencyClause } from './section.ts';

/**
 * Whether enough answers can be accepted with a promise: `threshold_coverage(0.05, 0.9) >= 0.5` asks for a threshold that keeps answers
 * that are wrong or should have been deferred at 5 % with 90 % confidence, and looks at the coverage on the part that did not choose it.
 * Without such a threshold the coverage is 0. Undecided while records were not asked, and where confidence is inverted: a threshold would then
 * keep the wrong answers. Several promises on one run share the error: each is made with a part of it, so that all hold together.
 */
export const thresholdCoverage: NonNullable<Analysis<RunThreshold>['gates']>[string] = {
  parameters: ['the tolerated share of wrong answers', 'the confidence of the promise'],
  example: 'threshold_coverage(0.05, 0.9) >= 0.5',
  check: (gate, { ledger, nGates, analyse }) => {
    const verdict = (status: GateVerdict['status'], message: string) => ({
      text: gate.text,
      status,
      message,
    });
    const [risk, wanted] = gate.numbers!;
    const confidence = Number((1 - (1 - wanted!) / nGates).toPrecision(12));
    const found = analyse({ risk, confidence });
    if (found === null)
      return verdict('undecided', 'there are no cases with labels to choose a threshold on');
    if (found.reason === 'confidence_inverted')
      return {
        ...verdict('undecided', 'confidence is inverted (higher where it fails), so no threshold is named'),
        reason: found.reason,
      };
    const { coverage, answered, n } = found.evaluation;
    const shared =
      nGates === 1 ? '' : ` (${nGates} promises share the error, so each is made with ${confidence})`;
    const coverageText =
      found.threshold === null
        ? `no threshold can be promised (${inWords(found.reason)}), so coverage is 0`
        : `coverage is ${coverage.toFixed(3)} (${answered}/${n}) at confidence >= ${found.threshold}; ${emergencyClause(found.evaluation)}`;
    const shown = `${coverageText}${shared}`;
    const notRun = ledger.not_run ?? 0;
    if (notRun > 0) return verdict('undecided', `${shown}, but ${notRun} cases were never asked`);
    return verdict(holds(coverage, gate) ? 'pass' : 'fail', shown);
  },
};
