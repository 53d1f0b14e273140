import { countLooks } from '../../store/run-looks.ts';
import type { RunsAnalysis } from '../analysis.ts';
import { driftDocument, driftObject } from './drift-document.ts';
import { type DriftRun, readDriftRun } from './drift-run.ts';
import { type DriftSettings, driftOptions, findDrift, type RunDrift, runDriftSchema } from './run-drift.ts';

const NOTES = `
Later runs of the same suite and model are compared with the reference, case by
case. Settings must be the same, and replies must not come from the cache: use
--no-cache and a new --run file each time. In a folder, runs that cannot be
compared are listed and left out.

Looks are counted in RUN.looks.json beside the reference, so that looking every
month does not raise the chance of a false alarm. Looking at the same run again
counts once.

Exit codes: 0 no change shown, 1 alarm: a run differs from the reference, 2 usage
or runs that cannot be compared, 3 no verdict.

Examples:
  krisis run ckd/staging --model openai/gpt-5-mini --no-cache --run march.db
  krisis drift january.db february.db march.db
  krisis drift runs/ --reference runs/january.db --format html -o drift.html
`;

/** Whether a model still answers as it did: later runs against a reference, with an error over all looks. */
export const driftAnalysis: RunsAnalysis<RunDrift, DriftRun, DriftSettings> = {
  of: 'runs',
  id: 'drift',
  atLeast: 2,
  schema: runDriftSchema,
  options: driftOptions,
  compute: findDrift,
  document: driftDocument,
  object: driftObject,
  command: {
    name: 'drift',
    notes: NOTES,
    reference: 'reference',
    read: readDriftRun,
    sets: { countLooks },
    exitCode: ({ isAlarm, runs }) => (isAlarm ? 1 : runs.some(({ test }) => test === null) ? 3 : 0),
  },
};
