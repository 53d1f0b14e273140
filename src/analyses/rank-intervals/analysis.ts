import { toFile } from '../../core/codec.ts';
import { defineMetric } from '../../metrics/define-metric.ts';
import type { RunsAnalysis } from '../analysis.ts';
import { askedRates, askedTables, headlineMetric, ratesForCase } from '../asked-rates.ts';
import { type RankIntervals, rankIntervals, rankIntervalsSchema } from './rank-intervals.ts';
import { rankSection } from './section.ts';

/** How sure the order of several models is, by emergencies, false alarms and the metric that leads. */
export const rankIntervalsAnalysis: RunsAnalysis<RankIntervals> = {
  of: 'runs',
  id: 'rankIntervals',
  schema: rankIntervalsSchema,
  atLeast: 2,
  compute: (runs, options) => {
    const tables = askedTables(runs);
    const metrics = new Set(['missed_emergency_rate', 'false_alarm_rate', headlineMetric(tables)]);
    const ranked = [...metrics].flatMap((metric) => {
      const rates = askedRates(metric, tables);
      return rates === null ? [] : [rankIntervals(rates, options)];
    });
    return ranked.length === 0 ? null : { level: options.level, seed: options.seed, ranked };
  },
  section: rankSection,
  cases: {
    rank_intervals: ({ models, units, resamples }, { better, level }) => {
      const metric = defineMetric({ name: 'score', better, estimate: () => 'unused' });
      const options = { resamples: resamples.length, seed: 0, level };
      const ranked = rankIntervals(ratesForCase(metric, models, units), options, resamples);
      return toFile(rankIntervalsSchema, { level, seed: 0, ranked: [ranked] }).ranked[0];
    },
  },
};
