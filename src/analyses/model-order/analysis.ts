import type { RunsAnalysis } from '../analysis.ts';
import { askedTables, headlineMetric } from '../asked-rates.ts';
import { type ModelOrders, modelOrdersSchema, testOrder } from './model-order.ts';
import { orderSection } from './section.ts';

/** Whether the order of several models is more than chance, by emergencies, false alarms and the metric that leads. */
export const modelOrderAnalysis: RunsAnalysis<ModelOrders> = {
  of: 'runs',
  id: 'modelOrder',
  schema: modelOrdersSchema,
  atLeast: 2,
  compute: (runs, options) => {
    const cluster = runs[0]!.cluster;
    const scored = askedTables(runs);
    const metrics = new Set(['missed_emergency_rate', 'false_alarm_rate', headlineMetric(scored)]);
    const orders = [...metrics].flatMap((metric) => testOrder(scored, metric, { ...options, cluster }) ?? []);
    return orders.length === 0 ? null : { level: options.level, seed: options.seed, orders };
  },
  section: orderSection,
};
