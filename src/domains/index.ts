import type { DeferralReasons, Label, Stratum } from '../core/index.ts';
import { CKD } from './ckd/domain.ts';
import { DIABETES } from './diabetes/domain.ts';
import type { ConformanceFunction, Domain } from './domain.ts';
import { HYPERTENSION } from './hypertension/domain.ts';

export {
  choice,
  number,
  type SuiteOption,
  type SuiteOptions,
  text,
  toggle,
  whole,
} from '../suites/suite-option.ts';
export type { Domain } from './domain.ts';

/** Every clinical domain: one line each. Suites load when they are made, so this list costs little. */
export const DOMAINS: readonly Domain[] = [CKD, DIABETES, HYPERTENSION];

/** Scales that domains know, mildest label first. A staging task that names no labels means one of these; the first unless the rows say otherwise. */
export const KNOWN_SCALES: readonly (readonly Label[])[] = DOMAINS.flatMap(({ scales }) => scales ?? []);

/** The reasons to defer of all domains, for rows that are scored without a task. A reason that several domains have is equivalent to whatever one of them says. */
export const KNOWN_REASONS: DeferralReasons = knownReasons();

function knownReasons(): DeferralReasons {
  const known: Record<string, DeferralReasons[string]> = {};
  for (const { deferralReasons = {} } of DOMAINS)
    for (const [code, reason] of Object.entries(deferralReasons)) {
      const { general, equivalent = [] } = known[code] ?? reason;
      const others = [reason.general, ...equivalent, ...(reason.equivalent ?? [])];
      const asRight = [...new Set(others)].filter((other) => other !== general);
      known[code] = asRight.length === 0 ? { general } : { general, equivalent: asRight };
    }
  return known;
}

/** What rows are broken down by where no task names a stratum, such as rows scored without a task. */
export const DEFAULT_STRATUM: Stratum = DOMAINS.find(({ stratum }) => stratum !== undefined)!.stratum!;

/** The stratum of a task; the default where it names none. */
export function stratumOf(task: { readonly stratum?: Stratum | null | undefined } | null): Stratum {
  return task?.stratum ?? DEFAULT_STRATUM;
}

/**
 * The clinical functions of all domains under the names and shapes of the conformance format: snake_case, a list for a list and a single value for a single value.
 * A missing input gives null; an impossible one is an error.
 *
 * @example
 * ```ts
 * suiteFunctions.kdigo_g_category({ egfr: [90, 89.6] }, {}) // => ['G1', 'G2']
 * suiteFunctions.kdigo_g_category({ egfr: 14 }, {}) // => 'G5'
 * suiteFunctions.ckd_epi_2021({ creatinine_umol_l: 0.9 * 88.4, age: 18, sex: 'male' }, {}) // => 142 * 0.9938 ** 18
 * ```
 */
export const suiteFunctions: Readonly<Record<string, ConformanceFunction>> = Object.assign(
  {},
  ...DOMAINS.map(({ functions }) => functions),
);
