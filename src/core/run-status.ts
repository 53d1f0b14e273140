/**
 * The states of a run. `running`: a process is writing it now. `waiting`: it was handed over and nothing has come back yet. `complete`: every selected record has its rows.
 * `interrupted`: it ended before it was complete and can be continued. `stopped`: no call could succeed (key, quota, budget). `stopped_early`: a gate was decided before all
 * records were asked.
 */
export const RUN_STATUSES = [
  'running',
  'waiting',
  'complete',
  'interrupted',
  'stopped',
  'stopped_early',
] as const;

export type RunStatus = (typeof RUN_STATUSES)[number];
