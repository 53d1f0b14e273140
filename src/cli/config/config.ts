import type { z } from 'zod';
import type { Metric } from '../../metrics/metric.ts';
import type { Backend } from '../../models/backend.ts';
import type { AnalysisOptions } from '../../runs/read-options.ts';
import type { Suite } from '../../suites/suite.ts';
import type { ConfigOf } from '../options/option.ts';
import type { RUN_CONFIG, RUN_OPTIONS } from '../options/run-options.ts';
import type { SCORE_CONFIG, SCORE_OPTIONS } from '../options/score-options.ts';

/** Settings of a project, in `krisis.config.ts` or `krisis.config.yaml`. A flag on the command line wins over them. */
export interface KrisisConfig {
  /** How `krisis score` scores: the flags of the same names. */
  readonly score?: ConfigOf<typeof SCORE_OPTIONS, 'score'> & Readonly<Partial<z.infer<typeof SCORE_CONFIG>>>;
  /** How `krisis run` runs: the flags of the same names. Those of the model are never used for the judge. */
  readonly run?: ConfigOf<typeof RUN_OPTIONS, 'run'> & Readonly<Partial<z.infer<typeof RUN_CONFIG>>>;
  /** Options of analyses, by their ids: `{ threshold: { risk: 0.1 } }`. A flag of `krisis report`, or of the analysis's command, wins. */
  readonly analyses?: AnalysisOptions;
  /** Providers and hosts that protected data may be sent to. Only in a config named by `--config`. */
  readonly allowEgress?: readonly string[];
  /** Suites of your own, by name: `defineSuite`, `defineTableSuite`, or anything of the same shape. */
  readonly suites?: readonly Suite[];
  /** Backends of your own, by name: `defineBackend`, or anything of the same shape. */
  readonly backends?: readonly Backend[];
  /** Metrics in place of the bundle; the primary endpoint is computed in any case. */
  readonly metrics?: readonly Metric[];
  /** Metrics of your own, beside the bundle. */
  readonly extraMetrics?: readonly Metric[];
}

/**
 * Gives a config file its types; returns the object as it is.
 *
 * @example
 * ```ts
 * defineConfig({ score: { task: 'detection', positiveLabel: 'present' } }).score!.task // => 'detection'
 * ```
 */
export function defineConfig(config: KrisisConfig): KrisisConfig {
  return config;
}
