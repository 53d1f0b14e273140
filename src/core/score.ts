export interface Interval {
  readonly lower: number;
  readonly upper: number;
  readonly level: number;
  /** `wilson`, `bca`, `percentile`; `wilson_clusters` where all clusters agree and n is the number of clusters. */
  readonly method: 'wilson' | 'bca' | 'percentile' | 'wilson_clusters';
  /** Bootstrap resamples behind it; null for a formula. */
  readonly resamples: number | null;
  /** What was drawn: single rows, or whole clusters. */
  readonly unit: 'row' | 'cluster';
}

/** The range a score could have had, had the rows that failed on us been answered in the worst or the best way. */
export interface Bounds {
  readonly lower: number;
  readonly upper: number;
}
