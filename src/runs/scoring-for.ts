import { z } from 'zod';
import { camelKeys, snakeKeys } from '../core/codec.ts';
import type { Label } from '../core/label.ts';
import { TASK_NAMES } from '../metrics/bundle-options.ts';
import type { TableOptions } from '../metrics/columns.ts';
import type { ScoringOptions } from '../metrics/score.ts';
import { MAX_RESAMPLES } from '../statistics/score-options.ts';
import type { RunResult, RunTask } from './run-result.ts';

/** How the rows of a task are scored: its pack, its positive label, its scale, its stratum, its reasons to defer, and whether labels can be read off the values. */
export function scoringFor(
  task: Pick<RunTask, 'ordered' | 'labels'> &
    Partial<Pick<RunTask, 'pack' | 'positiveLabel' | 'stratum' | 'labelFromValues'>> & {
      readonly deferralReasons?: RunTask['deferralReasons'] | undefined;
      readonly urgencyAsked?: boolean | null | undefined;
      readonly actLabels?: readonly Label[] | null | undefined;
    },
): ScoringOptions {
  const pack = TASK_NAMES.find((name) => name === task.pack);
  return {
    ...(task.stratum && { stratum: task.stratum }),
    ...(pack && { task: pack }),
    ...(task.labelFromValues && { labelFromValues: true }),
    ...(task.positiveLabel != null && { positiveLabel: task.positiveLabel }),
    ...(task.ordered && { labels: task.labels }),
    ...(task.labels.length > 0 && { taskLabels: task.labels }),
    ...(task.deferralReasons && { deferralReasons: task.deferralReasons }),
    ...(task.urgencyAsked != null && { urgencyAsked: task.urgencyAsked }),
    ...(task.actLabels && { actLabels: task.actLabels }),
  };
}

/** How rows scored by these options are put into columns. */
export function tableOptionsFor({
  stratum,
  deferralReasons,
  urgencyAsked,
  actLabels,
}: ScoringOptions): TableOptions {
  return { stratum, deferralReasons, urgencyAsked, actLabels };
}

/** How the rows of a run are put into columns. */
export function runTableOptions({ task }: Pick<RunResult, 'task'>): TableOptions {
  return task === null ? {} : tableOptionsFor(scoringFor(task));
}

const label = z.union([z.string(), z.number(), z.boolean()]);

/** A field that is not there, or is not what it should be, is as good as not said. */
const field = <T extends z.ZodType>(type: T) => type.nullish().catch(null);

const stored = z
  .object({
    bundle: field(z.enum(['default', 'extended'])),
    group_by: field(z.array(z.string())),
    resamples: field(z.int().min(0).max(MAX_RESAMPLES)),
    level: field(z.number().gt(0).lt(1)),
    seed: field(z.int()),
    cluster: field(z.string()),
    stratify: field(z.boolean()),
    breakdown: field(z.boolean()),
    null_band: field(z.boolean()),
    task: field(z.enum(TASK_NAMES)),
    positive_label: field(label),
    labels: field(z.array(label)),
    label_from_values: field(z.boolean()),
    urgency_asked: field(z.boolean()),
    act_labels: field(z.array(label)),
    target_prevalence: field(z.number()),
    deferral_costs: field(
      z.object({ missed: z.number().exactOptional(), needless: z.number().exactOptional() }),
    ),
    metrics: field(z.array(z.string())),
  })
  .catch({});

const DEFAULTS: Readonly<Record<string, unknown>> = { bundle: 'default', group_by: [] };

/** How a run was scored, in its file form, so that a report made later has the same numbers. Custom metrics are functions: only their names can be kept. */
export function storedScoring({ metrics, ...scoring }: ScoringOptions): Readonly<Record<string, unknown>> {
  const names = metrics?.map(({ name }) => name);
  const said: Readonly<Record<string, unknown>> = snakeKeys({ ...scoring, metrics: names });
  const keys = Object.keys(stored.unwrap().shape);
  return Object.fromEntries(keys.map((key) => [key, said[key] ?? DEFAULTS[key] ?? null]));
}

/** The scoring that a manifest states, and the names of the metrics that were given in place of a bundle. */
export function readScoring(value: unknown): {
  scoring: ScoringOptions;
  metricNames: readonly string[] | null;
} {
  const { metrics, ...said } = stored.parse(value);
  const scoring = Object.entries(camelKeys(said)).filter(([, value]) => value != null);
  return { scoring: Object.fromEntries(scoring), metricNames: metrics ?? null };
}
