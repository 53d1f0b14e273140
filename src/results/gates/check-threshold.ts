import type { Ledger } from '../../core/index.ts';
import type { RunResult } from '../run-result.ts';
import { emergencyClause } from '../threshold/emergency-clause.ts';
import { holds } from './check-gate.ts';
import type { Gate } from './expression.ts';
import type { GateVerdict } from './verdict.ts';

/**
 * Whether enough answers can be accepted with a promise: `threshold_coverage(0.05, 0.9) >= 0.5` asks for a threshold that keeps answers
 * that are wrong or should have been deferred at 5 % with 90 % confidence, and looks at the coverage on the part that did not choose it.
 * Without such a threshold the coverage is 0. Undecided while records were not asked, and where confidence is inverted: a threshold would then
 * keep the wrong answers. Several promises on one run share the error: `nPromises` of them are made with a part of it each, so that all hold together.
 */
export function checkThreshold(
  gate: Gate,
  threshold: RunResult['threshold'] | undefined,
  ledger: Ledger,
  nPromises = 1,
): GateVerdict {
  const verdict = (status: GateVerdict['status'], message: string) => ({ text: gate.text, status, message });
  const [risk, wanted] = gate.numbers!;
  const confidence = Number((1 - (1 - wanted!) / nPromises).toPrecision(12));
  const found = threshold?.({ risk, confidence }) ?? null;
  if (found === null) return verdict('undecided', 'there are no rows with labels to choose a threshold on');
  if (found.reason === 'confidence_inverted')
    return {
      ...verdict('undecided', 'confidence is inverted (surer when it fails), so no threshold is named'),
      reason: found.reason,
    };
  const { coverage, answered, n } = found.evaluation;
  const shared =
    nPromises === 1 ? '' : ` (${nPromises} promises share the error, so each is made with ${confidence})`;
  const coverageText =
    found.threshold === null
      ? `no threshold can be promised (${found.reason!.replaceAll('_', ' ')}), so coverage is 0`
      : `coverage is ${coverage.toFixed(3)} (${answered}/${n}) at confidence >= ${found.threshold}; ${emergencyClause(found.evaluation)}`;
  const shown = `${coverageText}${shared}`;
  const notRun = ledger.not_run ?? 0;
  if (notRun > 0) return verdict('undecided', `${shown}, but ${notRun} rows were never asked`);
  return verdict(holds(coverage, gate) ? 'pass' : 'fail', shown);
}
