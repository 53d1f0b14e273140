import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { wilsonInterval } from '../../statistics/proportions.ts';
import { DEFAULT_LEVEL } from '../../statistics/score-options.ts';
import { labelTextKey } from '../../store/queries/record-filter.ts';

const recordDifficultySchema = z.object({
  id: z.string(),
  /** The right decision: the true label, or `defer`; null where the case has neither. */
  expected: z.string().nullable(),
  /** Scored replies, over all models and repeats. */
  n: count,
  /** Replies that can be called right or wrong: not deferrals where either is defensible, nor answers to cases without a label. */
  nJudged: count,
  /** Right decisions among the judged: right answers, and deferrals of cases that should be deferred. */
  right: count,
  deferred: count,
  /** The commonest label among the answers, and how often it was given; null where no answer is a label of the suite. */
  commonest: z.object({ label: z.string(), n: count }).nullable(),
  /** Correlation over models of being right here and being right on the other records; null with fewer than three models, or where either does not vary. */
  discrimination: z.number().nullable(),
});
/** How hard a record is, by the answers of several models or repeats. */
type RecordDifficulty = Shape<typeof recordDifficultySchema>;

export const itemDifficultySchema = z.object({
  nModels: count,
  /** Records with two judged replies or more. */
  nRecords: count,
  /** Records with fewer, which are left out. */
  nTooFew: count,
  /** Records that no judged reply got right, and the share of records with its Wilson interval. */
  allWrong: z.object({
    n: count,
    share: z.number().nullable(),
    lower: z.number().nullable(),
    upper: z.number().nullable(),
  }),
  allRight: count,
  allDeferred: count,
  /** Records on which models that do better elsewhere do worse. */
  negativeDiscrimination: count,
  /** Hardest first, at most 1,000. */
  records: z.array(recordDifficultySchema),
});
/** Which records are hard, which are trivial, and which may have a wrong label. */
export type ItemDifficulty = Shape<typeof itemDifficultySchema>;

const MAX_RECORDS = 1000;
/** Two points always lie on a line. */
const MIN_MODELS = 3;

/** A scored reply to a record. */
export interface Asking {
  readonly model: string;
  readonly record: string;
  /** Null where the reply can be called neither right nor wrong. */
  readonly isRight: boolean | null;
  readonly isDeferred: boolean;
  /** The right decision. */
  readonly expected: string | null;
  readonly truth: string | null;
  /** Null where the model gave none. */
  readonly answer: string | null;
}

interface Sum {
  n: number;
  right: number;
}

/** Difficulty and discrimination of each record (classical test theory). A model that was asked repeatedly counts in discrimination once, with its mean. */
export function itemDifficulty(askings: Iterable<Asking>): ItemDifficulty {
  const records = Map.groupBy(askings, ({ record }) => record);
  const models = new Map<string, Sum>();
  /** Labels as they are written, by what makes two spellings one label. */
  const labels = new Map<string, string>();
  for (const replies of records.values())
    for (const { model, isRight, truth } of replies) {
      if (isRight !== null) addTo(models, model, isRight);
      if (truth !== null) labels.set(labelTextKey(truth), truth);
    }
  const all = [...records].map(([id, replies]): RecordDifficulty => {
    const own = new Map<string, Sum>();
    for (const { model, isRight } of replies) if (isRight !== null) addTo(own, model, isRight);
    return {
      id,
      expected: replies[0]!.expected,
      n: replies.length,
      nJudged: replies.filter(({ isRight }) => isRight !== null).length,
      right: replies.filter(({ isRight }) => isRight === true).length,
      deferred: replies.filter(({ isDeferred }) => isDeferred).length,
      commonest: commonestLabel(replies, labels),
      discrimination: discrimination(own, models),
    };
  });
  const known = all.filter(({ nJudged }) => nJudged > 1).sort(byDifficulty);
  const countRecords = (is: (record: RecordDifficulty) => boolean) => known.filter(is).length;
  const allWrong = countRecords(({ right }) => right === 0);
  const [lower, upper] = wilsonInterval(allWrong, known.length, DEFAULT_LEVEL) ?? [null, null];
  return {
    nModels: new Set([...records.values()].flat().map(({ model }) => model)).size,
    nRecords: known.length,
    nTooFew: all.length - known.length,
    allWrong: { n: allWrong, share: known.length === 0 ? null : allWrong / known.length, lower, upper },
    allRight: countRecords(({ right, nJudged }) => right === nJudged),
    allDeferred: countRecords(({ deferred, n }) => deferred === n),
    negativeDiscrimination: countRecords((record) => (record.discrimination ?? 0) < 0),
    records: known.slice(0, MAX_RECORDS),
  };
}

function addTo(sums: Map<string, Sum>, model: string, isRight: boolean): void {
  const sum = sums.get(model) ?? { n: 0, right: 0 };
  sums.set(model, sum);
  sum.n += 1;
  if (isRight) sum.right += 1;
}

/** The least often right first; among equals those that were asked most, then those that better models miss. */
function byDifficulty(a: RecordDifficulty, b: RecordDifficulty): number {
  return (
    a.right / a.nJudged - b.right / b.nJudged ||
    b.nJudged - a.nJudged ||
    (a.discrimination ?? 0) - (b.discrimination ?? 0) ||
    (a.id < b.id ? -1 : 1)
  );
}

/** An answer that is no label of the suite is text, which a list of records must not repeat. */
function commonestLabel(
  replies: readonly Asking[],
  labels: ReadonlyMap<string, string>,
): RecordDifficulty['commonest'] {
  const counts = new Map<string, number>();
  for (const { answer } of replies) {
    const label = answer === null ? undefined : labels.get(labelTextKey(answer));
    if (label !== undefined) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const [first] = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return first === undefined ? null : { label: first[0], n: first[1] };
}

function discrimination(
  own: ReadonlyMap<string, Sum>,
  all: ReadonlyMap<string, Sum>,
): RecordDifficulty['discrimination'] {
  const pairs = [...own].flatMap(([model, { n, right }]): (readonly [number, number])[] => {
    const total = all.get(model)!;
    return total.n === n ? [] : [[right / n, (total.right - right) / (total.n - n)]];
  });
  return pairs.length < MIN_MODELS ? null : correlation(pairs);
}

function correlation(pairs: readonly (readonly [number, number])[]): number | null {
  const mean = (side: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[side], 0) / pairs.length;
  const [x, y] = [mean(0), mean(1)];
  const sum = (of: (dx: number, dy: number) => number) =>
    pairs.reduce((total, [a, b]) => total + of(a - x, b - y), 0);
  const [varX, varY] = [sum((dx) => dx * dx), sum((_, dy) => dy * dy)];
  // Rounding leaves a little where nothing varies.
  if (varX < 1e-12 || varY < 1e-12) return null;
  return Math.max(-1, Math.min(1, sum((dx, dy) => dx * dy) / Math.sqrt(varX * varY)));
}
