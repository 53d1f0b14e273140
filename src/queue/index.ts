export { connect, queuePlace } from './connect.ts';
export { clearRun } from './jobs-of-run.ts';
export { checkLane, type Lane, type LaneOptions, openLane } from './lane.ts';
export { type KnownWorker, listWorkers } from './registry.ts';
export { type StartedWorker, startWorker, type WorkerOptions } from './worker.ts';
