import type { Label } from '../../core/index.ts';
import type { BinaryTable } from '../binary-table.ts';
import { countMetric } from '../built-in.ts';
import type { DefinedMetric } from '../define-metric.ts';
import type { Estimate, Proportion } from '../metric.ts';
import { type Abstentions, detectionTable, fourfold } from './detection-table.ts';

export interface DetectionOptions {
  /** The label that means the condition is present. Never guessed: without it the metric is null. */
  readonly positiveLabel: Label | undefined;
  readonly abstentions?: Abstentions;
}

interface DetectionSpec {
  readonly name: string;
  readonly label: string;
  readonly reads: string;
  readonly better?: 'higher' | 'lower' | null;
  readonly bounded?: boolean;
  readonly emptyReason?: string;
  readonly proportion?: (table: BinaryTable) => Proportion;
  readonly estimate?: (table: BinaryTable) => Estimate;
}

/** A metric of the fourfold table, in its two versions: `<name>` on what was answered, `<name>_itd` by intention to diagnose. */
export function detectionMetric(spec: DetectionSpec): (options: DetectionOptions) => DefinedMetric {
  return ({ positiveLabel, abstentions = 'answered' }) => {
    const itd = abstentions === 'itd';
    const shared = {
      family: 'detection' as const,
      name: itd ? `${spec.name}_itd` : spec.name,
      label: itd ? `${spec.label} (intention to diagnose)` : spec.label,
      reads: itd ? `${spec.reads}, abstentions wrong` : spec.reads,
      better: spec.better === undefined ? ('higher' as const) : spec.better,
      bounded: spec.bounded ?? false,
      emptyReason: spec.emptyReason ?? 'no_rows',
    };
    if (positiveLabel === undefined)
      return countMetric({ ...shared, estimate: () => 'positive_label_not_given' });
    const { proportion, estimate } = spec;
    return countMetric({
      ...shared,
      ...(proportion && {
        proportion: (sample) => proportion(fourfold(detectionTable(sample, positiveLabel), abstentions)),
      }),
      ...(estimate && {
        estimate: (sample) => estimate(fourfold(detectionTable(sample, positiveLabel), abstentions)),
      }),
      nEvaluated: (sample) => {
        const { tp, fp, fn, tn } = fourfold(detectionTable(sample, positiveLabel), abstentions);
        return tp + fp + fn + tn;
      },
      nAbstained: (sample) => {
        const table = detectionTable(sample, positiveLabel);
        return table.abstainedPositive + table.abstainedNegative;
      },
      details: (sample) => {
        const { tp, fp, fn, tn, abstainedPositive, abstainedNegative } = detectionTable(
          sample,
          positiveLabel,
        );
        return {
          positive_label: positiveLabel,
          abstentions,
          table: {
            tp,
            fp,
            fn,
            tn,
            abstained_positive: abstainedPositive,
            abstained_negative: abstainedNegative,
          },
        };
      },
    });
  };
}
