import type { DeferralReasons } from '../core/deferral-reasons.ts';
import type { Label } from '../core/label.ts';
import { CKD } from './ckd/domain.ts';
import { DIABETES } from './diabetes/domain.ts';
import type { Domain } from './domain.ts';
import { HYPERTENSION } from './hypertension/domain.ts';

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
