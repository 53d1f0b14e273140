import { ANALYSIS_CASES } from '../analyses/registry.ts';
import { actFunctions } from './act-functions.ts';
import { agrees } from './agrees.ts';
import type { ConformanceCase } from './case-file.ts';
import { CKD_FUNCTIONS } from './ckd-functions.ts';
import { DIABETES_FUNCTIONS } from './diabetes-functions.ts';
import { HYPERTENSION_FUNCTIONS } from './hypertension-functions.ts';
import { probeFunctions } from './probe-functions.ts';
import { reviewFunctions } from './review-functions.ts';
import { rowFunction } from './row-functions.ts';
import { rubricFunctions } from './rubric-functions.ts';
import { sequenceFunctions } from './sequence-functions.ts';
import { statisticFunctions } from './statistic-functions.ts';
import { thresholdFunctions } from './threshold-functions.ts';

export interface CaseOutcome {
  readonly id: string;
  readonly metric: string;
  readonly passed: boolean;
  readonly expected: unknown;
  /** The actual output; an error is shown as `throws: <message>`. */
  readonly got: unknown;
}

const onInputs = {
  ...actFunctions,
  ...statisticFunctions,
  ...CKD_FUNCTIONS,
  ...DIABETES_FUNCTIONS,
  ...HYPERTENSION_FUNCTIONS,
  ...rubricFunctions,
  ...reviewFunctions,
  ...probeFunctions,
  ...thresholdFunctions,
  ...sequenceFunctions,
  ...ANALYSIS_CASES,
};
const THROWS = 'throws';
const DEFAULT_TOLERANCE = 1e-9;

/** Runs every case. A case with an unknown function fails; it is not skipped. */
export function runCases(cases: readonly ConformanceCase[]): CaseOutcome[] {
  return cases.map((reference) => {
    const { id, metric, expected } = reference;
    const got = call(reference);
    const threw = got instanceof Error;
    const tolerance = reference.tolerance ?? DEFAULT_TOLERANCE;
    const alternatives = (reference.accept ?? []).map((other) => (other === 'null' ? null : other));
    const passed = threw
      ? alternatives.includes(THROWS)
      : agrees(got, expected, tolerance) ||
        alternatives.some((other) => other !== THROWS && agrees(got, other, tolerance));
    return { id, metric, passed, expected, got: threw ? `${THROWS}: ${got.message}` : (got ?? null) };
  });
}

function call({ metric, rows, inputs, params }: ConformanceCase): unknown {
  const given = params ?? {};
  const onRows = rows ? rowFunction(metric) : undefined;
  try {
    if (rows && onRows) return onRows(rows, given);
    if (inputs && Object.hasOwn(onInputs, metric)) return onInputs[metric]!(inputs, given);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
  return new Error(`no function "${metric}" that takes ${rows ? 'rows' : 'inputs'}`);
}
