import type { RunLine, ScoreLine } from '../api.ts';

/** A run of a suite with the scores that it stored. */
export interface ScoredRun {
  readonly run: RunLine;
  readonly scores: readonly ScoreLine[];
}

/** Runs of one model on one arm are a series. */
export function seriesOf({ model, arm }: RunLine): string {
  return arm === null ? model : `${model}, arm ${arm}`;
}
