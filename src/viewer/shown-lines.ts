import type { RecordIndex } from '../store/queries/record-index.ts';
import type { RecordLine } from '../store/queries/record-line.ts';
import type { OpenRun, OpenRuns } from './open-runs.ts';
import { quickRunPayload, runPayload } from './run-payload.ts';
import { withoutText } from './withhold-text.ts';

/** Gives a line of a run without what may not be shown of it. */
export function shownLine(runs: OpenRuns, run: OpenRun): (line: RecordLine) => RecordLine {
  if (!runs.withholds(run)) return (line) => line;
  const { line } = withoutText(quickRunPayload(runs, run.line) ?? runPayload(runs, run.line));
  return (whole) => line(whole);
}

/** The index of what may be shown of a run's rows: what is left out cannot be searched for either. */
export function readIndex(runs: OpenRuns, run: OpenRun): RecordIndex {
  return runs.index(run, shownLine(runs, run));
}
