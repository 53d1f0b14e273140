export { requireSecret } from './cipher.ts';
export { clearRun } from './jobs.ts';
export { openQueue, type QueueTransport } from './queue-transport.ts';
export { type KnownWorker, listWorkers } from './registry.ts';
export { type StartedWorker, startWorker, type WorkerOptions } from './worker.ts';
