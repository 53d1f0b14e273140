import type { RecordSet } from '../../analyses/comparison/record-sets.ts';
import { whyDifferentRecords } from '../../analyses/comparison/why-different-records.ts';
import type { Figures } from '../../metrics/figures.ts';
import { whole } from '../../reports/charts/number-text.ts';
import type { Series } from '../../reports/charts/series-style.ts';

/** Distributes the curves of compared runs over charts: one for each set of records. */
export function curveCharts(
  models: readonly { readonly name: string; readonly figures: Figures | null }[],
  sets: readonly RecordSet[],
): {
  readonly charts: readonly {
    /** Which runs and records; null where there is one chart. */
    readonly title: string | null;
    readonly drawn: readonly Series[];
  }[];
  /** Why there is more than one chart; null where there is not. */
  readonly reason: string | null;
  /** Models without rows or confidences. */
  readonly notDrawn: readonly string[];
} {
  const isDrawn = (model: (typeof models)[number] | undefined): model is Series =>
    (model?.figures?.riskCoverage.nUsable ?? 0) > 0;
  const drawnSets = sets.flatMap((set) => {
    const drawn = set.runs.map((place) => models[place]).filter(isDrawn);
    return drawn.length === 0 ? [] : [{ set, drawn }];
  });
  const isOne = drawnSets.length < 2;
  return {
    charts: drawnSets.map(({ set: { suiteName, nAsked }, drawn }) => ({
      title: isOne
        ? null
        : `${drawn.map(({ name }) => name).join(', ')} (${suiteName}, ${whole(nAsked)} cases)`,
      drawn,
    })),
    reason: isOne ? null : whyDifferentRecords(drawnSets.map(({ set }) => set)),
    notDrawn: models.filter((model) => !isDrawn(model)).map(({ name }) => name),
  };
}
