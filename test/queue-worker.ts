import { startWorker, type WorkerOptions } from '../src/transports/queue/worker.ts';

/** A worker in a process of its own, less patient than that of the command: others take over its calls sooner. */
const options = JSON.parse(process.argv[2]!) as WorkerOptions;
await startWorker({ ...options, timing: { beatMs: 300, lockMs: 1500, stalledMs: 500 } });
console.log('ready');
