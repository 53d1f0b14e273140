import { z } from 'zod';
import type { Judging } from '../analyses/judging/judging.ts';
import { fileCodec } from '../core/codec.ts';
import { emptyLedger, emptyTextLedger, enter, type Ledger, textClass } from '../core/ledger.ts';
import { scoreSchema } from '../core/score.ts';
import { TASK_NAMES } from '../metrics/bundle-options.ts';
import { collectFacts, type Metric, type MetricScore } from '../metrics/metric.ts';
import { builtInMetric } from '../metrics/registry.ts';
import type { Scorecard } from '../metrics/score.ts';
import { DEFAULT_LEVEL, DEFAULT_SEED } from '../statistics/score-options.ts';
import type { Run } from '../store/run.ts';
import { withPublishedInterval } from './import/published-figures.ts';

const { label, value, interval, bounds, nSuccesses, breakdown, details } = scoreSchema.shape;
const field = <T extends z.ZodType>(type: T) => type.nullable().catch(null);
const text = field(z.string());
const number = z.number().catch(0);

/** A score as another framework states it; what is not there is null. */
const storedSchema = fileCodec(
  z.object({
    label: field(label),
    value: field(value),
    reason: text,
    interval: field(interval),
    intervalReason: text,
    bounds: field(bounds),
    nEvaluated: number,
    nSuccesses: field(nSuccesses),
    nAbstained: number,
    breakdown: breakdown.catch({}),
    details: details.catch({}),
  }),
);

/** The scores that an imported result states, by name. */
export function publishedScores(
  manifest: Partial<Pick<Run, 'scores' | 'scoresAsPublished'>>,
): ReadonlyMap<string, MetricScore> {
  const scores = details.catch({}).parse(manifest.scores ?? manifest.scoresAsPublished);
  const read = Object.entries(scores).flatMap(([name, value]): [string, MetricScore][] => {
    const { data } = storedSchema.safeParse(value);
    return data === undefined ? [] : [[name, storedScore(name, data)]];
  });
  return new Map(read);
}

function storedScore(name: string, score: z.infer<typeof storedSchema>): MetricScore {
  const known = builtInMetric(name);
  const own: Partial<Metric> = known?.name === name ? known : {};
  const { label = score.label ?? name, family = 'custom', reads = '' } = own;
  // The other framework states the reason among the details.
  const { reason = null } = score.details;
  const otherwise = typeof reason === 'string' ? reason : 'not_stated';
  return {
    ...score,
    name,
    label,
    family,
    reads,
    reason: score.value === null ? (score.reason ?? otherwise) : null,
    intervalReason: score.interval ? null : (score.intervalReason ?? 'not_stated'),
    ...(known?.name === name && { facts: collectFacts(known, null) }),
  };
}

/** The scorecard of a run that has no rows: values as they were published, with intervals where the file states the counts behind them. */
export function cardWithoutRows(
  manifest: Partial<Pick<Run, 'scores' | 'scoresAsPublished' | 'ledger' | 'task'>>,
  level = DEFAULT_LEVEL,
): Scorecard {
  const scores = [...publishedScores(manifest).values()].map((score) => withPublishedInterval(score, level));
  const ledger = readLedger(manifest.ledger);
  const n = ledger.n > 0 ? ledger.n : Math.max(0, ...scores.map(({ nEvaluated }) => nEvaluated));
  const task = TASK_NAMES.find((name) => name === manifest.task?.pack) ?? null;
  return createCard({ task, n, nScored: n, ledger, scores }, { level, resamples: 0 });
}

function readLedger(value: unknown): Ledger {
  const counts = z.record(z.string(), z.int().min(0)).safeParse(value);
  return { ...emptyLedger(), ...counts.data };
}

/** A scorecard whose scores were not computed from a table of rows: published scores, or those of a judge. */
export function createCard(
  scored: Pick<Scorecard, 'task' | 'n' | 'nScored' | 'ledger' | 'scores'>,
  { level = DEFAULT_LEVEL, resamples }: { readonly level?: number; readonly resamples: number },
): Scorecard {
  return {
    ...scored,
    nMissingConfidence: 0,
    nInvalidConfidence: 0,
    nWithoutLabel: 0,
    nContradictions: 0,
    nTwoAnswers: 0,
    nQuotedAnswers: 0,
    nIndependent: scored.nScored,
    nMustAct: 0,
    emergencyRule: 'silence',
    subgroups: [],
    method: {
      level,
      seed: DEFAULT_SEED,
      generator: 'xoroshiro128plus',
      resamples,
      cluster: null,
      stratified: false,
    },
  };
}

/** The answers by class; the classes sum to `n`. */
export function answerLedger(answers: Judging['answers']): Ledger {
  const ledger = emptyTextLedger();
  for (const answer of answers) enter(ledger, textClass(answer));
  return ledger;
}
