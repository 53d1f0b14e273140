import { KrisisError } from '../core/errors.ts';
import { type KnownMetrics, knownMetric } from '../runs/conditions/expression.ts';
import { limitProblem, marginProblem } from '../runs/conditions/metric-range.ts';
import type { GatePlan } from '../runs/conditions/verdict.ts';
import { parseGate } from '../runs/gates/parse-gate.ts';
import { findRun } from '../store/find-run.ts';
import { readPublicKey } from '../store/keys.ts';
import { usageError } from './errors.ts';
import type { GateFlags } from './gate-options.ts';

/**
 * Reads the conditions before anything is run: one that cannot be understood ends the command now. `find` gives the file of the baseline. Default: a run.
 */
export function planGates(
  flags: GateFlags,
  known: KnownMetrics,
  find: (typed: string) => string = findRun,
): GatePlan {
  const gates = (flags.assert ?? []).map((text) => {
    const gate = parseGate(text, known);
    const problem = limitProblem(gate);
    if (problem !== null)
      throw new KrisisError(`--assert '${gate.text}': ${problem}`, { code: 'ERR_GATE_INVALID', value: text });
    return gate;
  });
  const { allowUncalibratedJudge, requireSignature } = flags;
  const option = allowUncalibratedJudge
    ? 'allow-uncalibrated-judge'
    : requireSignature && 'require-signature';
  if (option && gates.length === 0 && flags.nonInferior === undefined)
    throw usageError(`--${option} belongs to a condition: --assert or --non-inferior`);
  const publicKey = requireSignature === undefined ? undefined : readPublicKey(requireSignature);
  if (flags.nonInferior === undefined) {
    for (const option of ['margin', 'on'] as const)
      if (flags[option] !== undefined) throw usageError(`--${option} belongs to --non-inferior RUN`);
    return { gates, allowUncalibratedJudge, publicKey, nonInferior: null };
  }
  if (flags.margin === undefined)
    throw usageError('--non-inferior needs --margin: how much worse is tolerated, e.g. --margin 0.02');
  const metric =
    flags.on === undefined
      ? null
      : knownMetric(flags.on, known, (message, code = 'ERR_USAGE') => {
          throw new KrisisError(`--on: ${message}`, { code });
        });
  const problem = marginProblem(metric ?? 'accuracy', flags.margin);
  if (problem !== null) throw usageError(`--margin: ${problem}`);
  return {
    gates,
    allowUncalibratedJudge,
    publicKey,
    nonInferior: { baseline: find(flags.nonInferior), margin: flags.margin, metric },
  };
}
