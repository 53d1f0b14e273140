import type { Warning } from '../../metrics/index.ts';
import type { RunReport } from '../run-result.ts';
import type { PairedComparison } from './comparison.ts';

const FEW_FOR_COMPARISON = 400;

/** What must be known before a comparison is quoted; what is wrong with single runs stands in their own reports. */
export function comparisonWarnings(
  reports: readonly RunReport[],
  names: readonly string[],
  pairs: readonly PairedComparison[],
): Warning[] {
  const warnings: Warning[] = [];
  const warn = (code: string, message: string) => warnings.push({ code, message });
  const hashes = new Set(reports.flatMap(({ suiteHash }) => suiteHash ?? []));
  if (hashes.size > 1)
    warn(
      'different_suites',
      `THE RUNS ARE OF ${hashes.size} DIFFERENT SUITES. Only records with the same id and truth are paired, and nobody has checked that they show the same.`,
    );
  const arms = new Set(reports.flatMap(({ arm, suiteHash }) => (suiteHash === null ? [] : (arm ?? []))));
  if (arms.size > 1)
    warn(
      'different_arms',
      `The question was put in different ways (arms ${[...arms].join(', ')}): a difference may come from the arm, not from the model.`,
    );
  const simulated = names.filter((_, r) => reports[r]!.extras.simulated === true);
  if (simulated.length > 0)
    warn(
      'simulated_model',
      `Simulated, so made up, and saying nothing about any real model: ${simulated.join(', ')}.`,
    );
  for (const [r, { status, card }] of reports.entries()) {
    const nUnscored = card.n - card.nScored;
    if (status !== 'complete' || nUnscored > 0)
      warn(
        'incomplete',
        `${names[r]}: ${status === 'complete' ? '' : `the run is ${status}; `}${nUnscored} of ${card.n} rows failed or never ran and are not scored.`,
      );
  }
  for (const { model, nPaired } of pairs)
    if (nPaired < FEW_FOR_COMPARISON)
      warn(
        'few_records',
        `${model}: ${nPaired} records are paired; ${FEW_FOR_COMPARISON} are the least for comparing models.`,
      );
  return warnings;
}
