/** The metadata key that scores are broken down by, and what to call it: `{ key: 'tumour_stage', label: 'stage' }` gives `stage_1`, `stage_2`, ... */
export interface Stratum {
  /** The key in a record's metadata. */
  readonly key: string;
  /** The word shown for it, in the singular. */
  readonly label: string;
}
