import type { Comparison, EndpointComparison } from '../../../src/viewer/browser.ts';

/** The parts of `krisis compare --json` that the page reads. */
export interface ComparisonObject
  extends Pick<Comparison, 'warnings' | 'method'>,
    Readonly<Record<string, unknown>> {
  readonly primary_endpoint: Comparison['primaryEndpoint'];
  /** In the order of the runs. */
  readonly models: readonly { readonly name: string }[];
  readonly comparisons: readonly PairObject[];
  readonly not_paired: Comparison['notPaired'];
}

export interface PairObject {
  /** The name of the run that is compared with the baseline. */
  readonly model: string;
  readonly n_paired: number;
  readonly left_out: Readonly<Record<string, number>>;
  readonly endpoints: Readonly<Record<string, EndpointObject>>;
  readonly flips: {
    readonly by: string | null;
    /** Paired records with a verdict in both runs. */
    readonly n_compared: number;
    readonly n_only_baseline_right: number;
    readonly n_only_model_right: number;
    readonly only_baseline_right: readonly { readonly id: string }[];
    readonly only_model_right: readonly { readonly id: string }[];
  };
}

export interface EndpointObject
  extends Pick<EndpointComparison, 'label' | 'n' | 'difference' | 'reason' | 'interval' | 'p' | 'verdict'> {
  readonly baseline_value: number | null;
  readonly model_value: number | null;
  readonly in_words: string;
}
