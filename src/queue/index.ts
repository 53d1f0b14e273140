export { requireSecret } from './cipher.ts';
export { clearRun } from './jobs.ts';
export { type Lane, openLane } from './lane.ts';
export { type KnownWorker, listWorkers } from './registry.ts';
export { type StartedWorker, startWorker, type WorkerOptions } from './worker.ts';
