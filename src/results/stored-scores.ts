import { z } from 'zod';
import { emptyLedger, type Ledger } from '../core/index.ts';
import { extendedMetrics, type MetricScore, type Scorecard, TASK_NAMES } from '../metrics/index.ts';
import { DEFAULT_LEVEL, DEFAULT_SEED } from '../statistics/index.ts';
import type { Manifest } from '../store/index.ts';

const number = z.number().nullish().catch(null);
const text = z.string().nullish().catch(null);
const range = { lower: z.number(), upper: z.number() };
const object = z.record(z.string(), z.unknown()).nullish().catch(null);

/** A score as it stands in a manifest, ours or of another framework; what is not there is null. */
const stored = z.object({
  label: text,
  value: number,
  reason: text,
  interval: z
    .object({
      ...range,
      level: z.number(),
      method: z.enum(['wilson', 'bca', 'percentile', 'wilson_clusters']),
      resamples: z.number().nullable(),
      unit: z.enum(['row', 'cluster']),
    })
    .nullish()
    .catch(null),
  interval_reason: text,
  bounds: z.object(range).nullish().catch(null),
  n_evaluated: number,
  n_abstained: number,
  breakdown: z.record(z.string(), z.number().nullable()).nullish().catch(null),
  details: object,
});

type StoredScores = Partial<Pick<Manifest, 'scores' | 'scores_as_published'>>;

/** The scores that a manifest holds, by name. */
export function storedScores(manifest: StoredScores): ReadonlyMap<string, MetricScore> {
  const scores = object.parse(manifest.scores ?? manifest.scores_as_published) ?? {};
  const labels = knownLabels();
  const read = Object.entries(scores).flatMap(([name, value]): [string, MetricScore][] => {
    const parsed = stored.safeParse(value);
    if (!parsed.success) return [];
    const score = parsed.data;
    const known = labels.get(name);
    const stated = score.value ?? null;
    return [
      [
        name,
        {
          name,
          label: known?.label ?? score.label ?? name,
          family: known?.family ?? 'custom',
          reads: known?.reads ?? '',
          value: stated,
          reason: stated === null ? (score.reason ?? reasonIn(score.details) ?? 'not_stated') : null,
          interval: score.interval ?? null,
          intervalReason: score.interval ? null : (score.interval_reason ?? 'not_stated'),
          bounds: score.bounds ?? null,
          breakdown: score.breakdown ?? {},
          nEvaluated: score.n_evaluated ?? 0,
          nAbstained: score.n_abstained ?? 0,
          details: score.details ?? {},
        },
      ],
    ];
  });
  return new Map(read);
}

/** The scorecard of a run that has no rows: values as they were published, and no intervals, for there is nothing to draw them from. */
export function cardWithoutRows(
  manifest: StoredScores & Partial<Pick<Manifest, 'ledger' | 'task'>>,
): Scorecard {
  const scores = [...storedScores(manifest).values()].map((score) => ({
    ...score,
    interval: null,
    intervalReason: 'imported_without_rows',
  }));
  const ledger = ledgerOf(manifest.ledger);
  const n = ledger.n > 0 ? ledger.n : Math.max(0, ...scores.map(({ nEvaluated }) => nEvaluated));
  const pack = manifest.task?.pack;
  return {
    task: TASK_NAMES.find((task) => task === pack) ?? null,
    n,
    nScored: n,
    ledger,
    nMissingConfidence: 0,
    nInvalidConfidence: 0,
    scores,
    subgroups: [],
    method: {
      level: DEFAULT_LEVEL,
      seed: DEFAULT_SEED,
      generator: 'xoroshiro128plus',
      resamples: 0,
      cluster: null,
      stratified: false,
      confidence_policy: 'invalid',
    },
  };
}

function ledgerOf(value: unknown): Ledger {
  const counts = z.record(z.string(), z.int().min(0)).safeParse(value);
  return { ...emptyLedger(), ...(counts.success ? counts.data : {}) };
}

/** Where the other framework puts it. */
function reasonIn(details: Readonly<Record<string, unknown>> | null | undefined): string | null {
  return typeof details?.reason === 'string' ? details.reason : null;
}

function knownLabels(): ReadonlyMap<string, Pick<MetricScore, 'label' | 'family' | 'reads'>> {
  const metrics = TASK_NAMES.flatMap((task) => extendedMetrics({ task, targetPrevalence: 0.5 }));
  return new Map(
    metrics.map(({ name, label = name, family = 'custom', reads = '' }) => [name, { label, family, reads }]),
  );
}
