import type { Metric, ScoringOptions } from '../../metrics/index.ts';
import type { ApiOptions, Backend } from '../../models/index.ts';
import type { Suite } from '../../suites/index.ts';

/** Settings of a project, in `krisis.config.ts` or `krisis.config.yaml`. A flag on the command line wins over them. */
export interface KrisisConfig {
  /** How `krisis score` scores. */
  readonly score?: Omit<ScoringOptions, 'metrics' | 'resamples'> & {
    /** Bootstrap resamples. */
    readonly bootstrap?: number;
    readonly confidencePolicy?: 'invalid' | 'clip';
    /** Which column of a file holds a field: `{ prediction: 'y_pred', ground_truth: 'y_true' }`. Default: columns named like the fields. */
    readonly columns?: Readonly<Record<string, string>>;
    /** What separates the fields of a table. Default: detected. */
    readonly delimiter?: 'comma' | 'semicolon' | 'tab' | 'pipe';
  };
  /** How `krisis run` runs: the flags of the same names. */
  readonly run?: Omit<
    ApiOptions,
    'timeoutSeconds' | 'connections' | 'env' | 'queue' | 'transport' | 'sendKey'
  > & {
    readonly model?: string | readonly string[];
    readonly arm?: string;
    /** A file with a system prompt of your own, and one with a template of the message, with `{{question}}` in it. */
    readonly systemFile?: string;
    readonly templateFile?: string;
    readonly limit?: number;
    /** A list of records that people found wrong, as `krisis review apply` writes it. */
    readonly exclude?: string;
    readonly stratify?: string;
    readonly repeat?: number;
    readonly batchSize?: number;
    readonly maxConcurrency?: number | 'auto';
    /** Seconds. */
    readonly timeout?: number;
    /** Calls, and tokens, a minute at most. */
    readonly rpm?: number;
    readonly tpm?: number;
    /** Seconds: a longer wait that a provider asks for stops the run. */
    readonly maxRetryAfter?: number;
    /** US dollars. */
    readonly budget?: number;
    /** False: replies are neither read from the cache nor stored there. True: they are read also by a new run, with repeats and with conditions. */
    readonly cache?: boolean;
    readonly failOnError?: number;
    /** Conditions that every run has to meet: `upper(missed_emergency_rate) <= 0.1`. Those on the command line take their place. */
    readonly assert?: readonly string[];
    /** File of the Ed25519 private key (PEM) that signs runs. */
    readonly signKey?: string;
    /** Store texts of models about protected records too, with patient data blocked out. Only in a config named by `--config`. Default: false. */
    readonly keepText?: boolean;
    /** Who judges the answers to open questions; several are a jury. */
    readonly judge?: string | readonly string[];
    /** A file of rules of your own for the judge. */
    readonly judgeInstructions?: string;
    /** The judge's own settings: those of the model are never used for it. */
    readonly judgeBaseUrl?: string;
    readonly judgeTemperature?: number;
    readonly judgeReasoningEffort?: NonNullable<ApiOptions['reasoningEffort']>;
    readonly judgeMaxOutputTokens?: number;
    /** Seconds. */
    readonly judgeTimeout?: number;
    readonly judgeStructuredOutput?: boolean;
    readonly judgePrice?: NonNullable<ApiOptions['price']>;
  };
  /** Providers and hosts that protected data may be sent to. Only in a config named by `--config`. */
  readonly allowEgress?: readonly string[];
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
