import { createWealth, meanSequence } from './mean-e-value.ts';
import { proportionEValue, proportionSequence } from './proportion-e-value.ts';
import { createSuiteWealth, suiteSequence } from './suite-e-value.ts';

/**
 * Which evidence a gate gathers. `proportion`: rows that are right or wrong. `mean`: values between, such as means of patients or shares of repeats. `suite`: a claim about exactly the rows of a suite,
 * drawn without replacement.
 */
export type EvidenceKind = 'proportion' | 'mean' | 'suite';

/** Running evidence against one limit, from above and from below. */
export interface Evidence {
  add(value: number): void;
  /** The evidence that the value lies above the limit; with `ahead`, after that many more values of 1. */
  above(ahead?: number): number;
  below(): number;
  bounds(alphaSide: number): readonly [number, number] | null;
}

/** @internal */
export function createEvidence(kind: EvidenceKind, limit: number, suiteSize: number): Evidence {
  if (kind === 'proportion') return proportionEvidence(limit);
  return kind === 'mean' ? meanEvidence(limit) : suiteEvidence(limit, suiteSize);
}

function proportionEvidence(limit: number): Evidence {
  let [successes, n] = [0, 0];
  return {
    add: (value) => {
      successes += value;
      n += 1;
    },
    above: (ahead = 0) => proportionEValue(successes + ahead, n + ahead, limit)!,
    below: () => proportionEValue(successes, n, limit, 'below')!,
    bounds: (alphaSide) => proportionSequence(successes, n, alphaSide),
  };
}

function meanEvidence(limit: number): Evidence {
  const [above, below] = [createWealth(limit), createWealth(1 - limit)];
  const values: number[] = [];
  return {
    add: (value) => {
      values.push(value);
      above.add(value);
      below.add(1 - value);
    },
    above: above.value,
    below: () => below.value(),
    bounds: (alphaSide) => meanSequence(values, alphaSide),
  };
}

/** What the rows seen already settle counts as infinite evidence. */
function suiteEvidence(limit: number, suiteSize: number): Evidence {
  const [above, below] = [createSuiteWealth(limit, suiteSize), createSuiteWealth(1 - limit, suiteSize)];
  const values: number[] = [];
  let sum = 0;
  return {
    add: (value) => {
      values.push(value);
      sum += value;
      above.add(value);
      below.add(1 - value);
    },
    above: (ahead = 0) =>
      (sum + ahead) / suiteSize >= limit - 1e-9 ? Number.POSITIVE_INFINITY : above.value(),
    below: () => below.value(),
    bounds: (alphaSide) => suiteSequence(values, suiteSize, alphaSide),
  };
}
