import type { Backend } from '../backends/backend.ts';
import type { Metric } from '../metrics/metric.ts';
import type { ScoringOptions } from '../metrics/score.ts';
import type { Suite } from '../suites/suite.ts';

/** Settings of a project, in `krisis.config.ts` or `krisis.config.yaml`. A flag on the command line wins over them. */
export interface KrisisConfig {
  /** How `krisis score` scores. */
  readonly score?: Omit<ScoringOptions, 'metrics' | 'resamples'> & {
    /** Bootstrap resamples. */
    readonly bootstrap?: number;
    readonly confidencePolicy?: 'invalid' | 'clip';
  };
  /** Suites of your own, by name: `defineSuite`, `defineTableSuite`, or anything of the same shape. */
  readonly suites?: readonly Suite[];
  /** Backends of your own, by name: `defineBackend`, or anything of the same shape. */
  readonly backends?: readonly Backend[];
  /** Metrics of your own, beside the bundle. */
  readonly metrics?: readonly Metric[];
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
