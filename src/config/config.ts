import type { Metric } from '../metrics/metric.ts';
import type { ScoringOptions } from '../metrics/score.ts';

/** Settings of a project, in `krisis.config.ts` or `krisis.config.yaml`. A flag on the command line wins over them. */
export interface KrisisConfig {
  /** How `krisis score` scores. */
  readonly score?: Omit<ScoringOptions, 'metrics' | 'resamples'> & {
    /** Bootstrap resamples. */
    readonly bootstrap?: number;
    readonly confidencePolicy?: 'invalid' | 'clip';
  };
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
