import type { Counted, SuiteDescription } from './suite.ts';

/** A description in its file form: snake_case, counts as objects. */
export function descriptionObject(description: SuiteDescription): Record<string, unknown> {
  const { deferral, mustAct } = description;
  const known = {
    name: description.name,
    task: description.task,
    domain: description.domain,
    sensitivity: description.sensitivity,
    suite_hash: description.hash,
    n_total_eval_records: description.nRecords,
    n_training_records: description.nTraining,
    excluded: Object.fromEntries((description.excluded ?? []).map(({ reason, n }) => [reason, n])),
    labels: counts(description.labels),
    origins: counts(description.origins),
    strata: counts(description.strata),
    deferral: {
      must_defer: deferral.mustDefer,
      must_answer: deferral.mustAnswer,
      unlabelled: deferral.unlabelled,
      reasons: counts(deferral.reasons),
    },
    must_act: {
      emergencies: mustAct.emergencies,
      none: mustAct.none,
      open: mustAct.open,
      reasons: counts(mustAct.reasons),
      open_reasons: counts(mustAct.openReasons),
    },
    // Not `missing`: that is the setting, keep or impute.
    not_measured: counts(description.missing),
    arms: description.arms,
    primary_endpoint: description.primaryEndpoint,
    provenance: description.provenance,
    warnings: description.warnings,
  };
  // A setting must not replace a count.
  return { ...known, ...description.settings, ...known };
}

function counts(list: readonly Counted[]): Record<string, number> {
  return Object.fromEntries(list.map(({ name, n }) => [name, n]));
}
