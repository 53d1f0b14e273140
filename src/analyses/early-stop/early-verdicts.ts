import { basename } from 'node:path';
import { type Gate, parseCondition } from '../../runs/conditions/expression.ts';
import type { GatePlan, GateVerdict } from '../../runs/conditions/verdict.ts';
import type { SequentialStatus } from '../../statistics/methods/sequential-gate.ts';
import type { EarlyVerdict, StopEarly } from '../../store/run.ts';
import { RunFile } from '../../store/run-file.ts';

/** What became of conditions on a run that stops early: those that were declared before its first call are judged by their looks, and no other can be. */
export function earlyVerdicts(
  plan: GatePlan,
  stopEarly: StopEarly,
  warnings: readonly Pick<GateVerdict, 'warning'>[] = [],
): GateVerdict[] {
  const declared = stopEarly.gates.map((text) => ({ text, gate: parseCondition(text) }));
  const verdicts = plan.gates.map((gate, g) => {
    const text = declared.find((other) => isSame(other.gate, gate))?.text;
    const verdict = text === undefined ? undeclared(gate.text) : declaredVerdict(text, stopEarly);
    return { ...verdict, ...warnings[g] };
  });
  if (plan.nonInferior === null) return verdicts;
  const { baseline, margin } = plan.nonInferior;
  const text = `non-inferior to ${basename(baseline)} by ${margin}`;
  const difference = stopEarly.verdicts[stopEarly.gates.length];
  return [
    ...verdicts,
    isSameBaseline(plan.nonInferior, stopEarly.nonInferior)
      ? declaredVerdict(difference?.gate ?? text, stopEarly)
      : undeclared(text),
  ];
}

/** A run that was killed has its looks in its rows only: the next start takes them. */
function declaredVerdict(text: string, stopEarly: StopEarly): GateVerdict {
  const found = stopEarly.verdicts.find((verdict) => verdict.gate === text);
  if (found !== undefined) return earlyVerdict(found, stopEarly);
  return {
    text,
    status: 'undecided',
    message: 'the run ended before its last look was written; the same command continues it, and decides',
  };
}

/** Whether non-inferiority was declared to this run, on this metric and by this margin. */
function isSameBaseline(
  { baseline, margin, metric }: NonNullable<GatePlan['nonInferior']>,
  declared: StopEarly['nonInferior'],
): boolean {
  if (declared === null || margin !== declared.margin || (metric ?? declared.metric) !== declared.metric)
    return false;
  const runId = RunFile.use(baseline, (file) => file.manifest().runId);
  return runId === declared.runId && (runId !== null || basename(baseline) === declared.baseline);
}

function isSame(a: Gate, b: Gate): boolean {
  return (
    a.of === b.of &&
    a.metric === b.metric &&
    a.operator === b.operator &&
    a.limit === b.limit &&
    String(a.numbers) === String(b.numbers)
  );
}

function undeclared(text: string): GateVerdict {
  return {
    text,
    status: 'undecided',
    message:
      'it was not declared before the run, and a run that stops early can be judged only by what was declared',
  };
}

const STATUS: Readonly<Record<SequentialStatus, GateVerdict['status']>> = {
  pass: 'pass',
  fail_shown: 'fail',
  fail_unreachable: 'fail',
  fail_not_shown: 'fail',
  undecided: 'undecided',
};

/** The verdict on a gate, in the form of all verdicts. Non-inferiority fails only where the difference is shown to be worse than the margin; what cannot be shown is undecided. */
export function earlyVerdict(verdict: EarlyVerdict, stopEarly: StopEarly): GateVerdict {
  const isShown = verdict.status === 'pass' || verdict.status === 'fail_shown';
  const status = isDifference(verdict, stopEarly) && !isShown ? 'undecided' : STATUS[verdict.status];
  return {
    text: verdict.gate,
    status,
    message: `${seen(verdict, isDifference(verdict, stopEarly))}; ${reasonText(verdict, stopEarly)}`,
    ...(status === 'fail' && { reason: verdict.status as NonNullable<GateVerdict['reason']> }),
  };
}

function isDifference({ gate }: EarlyVerdict, { gates }: StopEarly): boolean {
  return !gates.includes(gate);
}

function seen({ value, lower, upper, n, nFailed }: EarlyVerdict, isSigned: boolean): string {
  if (value === null) return 'nothing was counted';
  const counted = `n ${n}${nFailed === 0 ? '' : `, ${nFailed} of them with failed cases`}`;
  if (lower === null || upper === null) return `${value.toFixed(3)} (${counted})`;
  // A difference is small: with three digits a bound within the margin would look like the margin.
  const [digits, sign] = isSigned ? [4, '+'] : [3, ''];
  const shown = (number: string) => (number.startsWith('-') ? number : `${sign}${number}`);
  const bounds = `${shown(down(lower, digits))} to ${shown(up(upper, digits))}`;
  return `${isSigned ? 'difference ' : ''}${shown(value.toFixed(digits))} (anytime-valid ${bounds}, ${counted})`;
}

/** Why the looks ended. */
function reasonText(verdict: EarlyVerdict, stopEarly: StopEarly): string {
  const { status, lookedAt, lower } = verdict;
  const { nTotal, unit } = stopEarly;
  const after = `after ${lookedAt} of ${nTotal} ${PLURAL[unit]}`;
  const isValue = lower === null;
  switch (status) {
    case 'pass':
      return isValue ? `${after} the rest cannot change it` : `shown ${after}`;
    case 'fail_shown':
      return isValue ? `${after} the rest cannot change it` : `shown not to hold ${after}`;
    case 'fail_unreachable':
      return `${after} even right answers to all others could not show it${isDifference(verdict, stopEarly) ? ', and it is not shown to be worse by more than the margin' : ''}`;
    case 'fail_not_shown':
      return `all ${nTotal} ${PLURAL[unit]} were looked at, and it is not shown`;
    case 'undecided':
      if (lookedAt < nTotal) return `not decided ${after}`;
      if (isDifference(verdict, stopEarly))
        return `all ${nTotal} ${PLURAL[unit]} were looked at; it is not shown, nor that it is worse by more than the margin`;
      return 'the failed cases decide: the same command asks them again';
  }
}

export const PLURAL = { record: 'cases', patient: 'patients', batch: 'batches' } as const;

/** Bounds are rounded outward, so that none looks better than it is. */
function down(value: number, digits: number): string {
  return (Math.floor(value * 10 ** digits + 1e-9) / 10 ** digits).toFixed(digits);
}

function up(value: number, digits: number): string {
  return (Math.ceil(value * 10 ** digits - 1e-9) / 10 ** digits).toFixed(digits);
}
