import { enableCompileCache } from 'node:module';

enableCompileCache();
const { apiBackend } = await import('../src/models/api/api-backend.ts');
const { run } = await import('../src/engine/run.ts');
const { streamedSuite } = await import('./streamed-suite.ts');

/** A run against a provider as a script would make it: `node bench/run-streamed.ts URL N CONCURRENCY RUN_FILE`. Prints how many rows were scored, and its peak memory. */
const [url, n, concurrency, path] = process.argv.slice(2) as [string, string, string, string];
const { card } = await run({
  suite: streamedSuite(Number(n)),
  backend: await apiBackend('openai-compatible/bench', {
    baseUrl: `${url}/v1`,
    connections: Number(concurrency),
  }),
  krisisVersion: 'bench',
  seed: 42,
  batchSize: 1,
  maxConcurrency: Number(concurrency),
  path,
});
console.log(card.nScored);
process.stderr.write(`peak ${process.resourceUsage().maxRSS}\n`);
