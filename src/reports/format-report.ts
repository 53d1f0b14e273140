import { stripVTControlCharacters } from 'node:util';
import type { BenchmarkResult } from '../results/index.ts';
import { runDocument } from './document/run-document.ts';
import { renderText } from './formats/text.ts';

/**
 * A result as text: suite, ledger, every metric with interval and n, warnings, and how the run went. Without colours, so that the same result is the same text everywhere.
 *
 * @example
 * ```ts
 * const suite = new CkdSuite({ task: 'detection', nRecords: 20, testSize: 1 });
 * const result = await new Benchmark(suite, await createBackend('baseline/guideline', suite, { seed: 42 })).run();
 * formatReport(result).split('\n')[0] // => 'ckd/detection, baseline/guideline: 20 rows, task detection (positive: present)'
 * ```
 */
export function formatReport(result: BenchmarkResult): string {
  return stripVTControlCharacters(renderText(runDocument(result)));
}
