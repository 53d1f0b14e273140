/** The metadata key that scores are broken down by, and what to call it: `{ key: 'tumour_stage', label: 'stage' }` gives `stage_1`, `stage_2`, ... */
export interface Stratum {
  /** The key in a record's metadata. */
  readonly key: string;
  /** The word shown for it, in the singular. */
  readonly label: string;
}

/** What rows are broken down by where no task names a stratum, such as rows scored without a task. */
export const DEFAULT_STRATUM: Stratum = { key: 'ckd_stage', label: 'stage' };

/** The stratum of a task; the default where it names none. */
export function stratumOf(task: { readonly stratum?: Stratum | null | undefined } | null): Stratum {
  return task?.stratum ?? DEFAULT_STRATUM;
}
