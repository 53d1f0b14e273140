import { toFile } from '../../core/codec.ts';
import { defineMetric } from '../../metrics/define-metric.ts';
import type { RunsAnalysis } from '../analysis.ts';
import { askedRates, askedTables, headlineMetric, ratesForCase } from '../asked-rates.ts';
import { varianceSection } from './section.ts';
import { type VarianceSplits, varianceSplit, varianceSplitsSchema } from './variance-split.ts';

/** How much replies vary between cases, between models, and between repeats of one case. */
export const varianceSplitAnalysis: RunsAnalysis<VarianceSplits> = {
  of: 'runs',
  id: 'varianceSplit',
  schema: varianceSplitsSchema,
  compute: (runs, options) => {
    if (runs.reduce((sum, { repeats }) => sum + repeats, 0) < 2) return null;
    const tables = askedTables(runs);
    const metrics = new Set(['missed_emergency_rate', headlineMetric(tables)]);
    const splits = [...metrics].flatMap((metric) => {
      const rates = askedRates(metric, tables);
      return (rates && varianceSplit(rates, options)) ?? [];
    });
    return splits.length === 0 ? null : { level: options.level, seed: options.seed, splits };
  },
  section: varianceSection,
  cases: {
    variance_split: ({ models, units, resamples }, { level }) => {
      const metric = defineMetric({ name: 'score', estimate: () => 'unused' });
      const options = { resamples: resamples.length, seed: 0, level };
      const split = varianceSplit(ratesForCase(metric, models, units), options, resamples);
      const splits = split === null ? [] : [split];
      return toFile(varianceSplitsSchema, { level, seed: 0, splits }).splits[0] ?? null;
    },
  },
};
