import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { cohenKappa } from '../../statistics/kappa.ts';
import { wilsonClustered } from '../../statistics/methods/label-plan.ts';
import { wilsonInterval } from '../../statistics/proportions.ts';
import { DEFAULT_LEVEL } from '../../statistics/score-options.ts';
import type { RubricItem } from '../traits/metric-trait.ts';
import { isVerdict, type Verdict } from '../verdict.ts';
import { calibrationStatus, calibrationStatusSchema } from './calibration-status.ts';
import { type HumanLabel, isNamedItem } from './human-labels.ts';
import { type CalibrationPair, type LabelEvidence, labelEvidence } from './judge-gate-status.ts';

/** What a judge said of the answer to one question. */
export interface JudgedQuestion {
  readonly questionId: string;
  /** The items of all its metric traits: `listItems`. */
  readonly items: readonly RubricItem[];
  /** A word that is no verdict counts as none. */
  readonly verdicts: readonly { readonly id: string; readonly verdict: string }[];
}

const judgeShareSchema = z.object({
  value: z.number().nullable(),
  reason: z.string().nullable(),
  n: count,
  interval: z
    .object({
      lower: z.number(),
      upper: z.number(),
      level: z.number(),
    })
    .nullable(),
});
const judgeAgainstHumansSchema = z.object({
  /** Over the four verdicts; null where both used one verdict only. */
  kappa: z.number().nullable(),
  /** Of the items that are present to people: the share the judge found. */
  sensitivity: judgeShareSchema,
  /** Of the items that are absent or contradicted to people: the share of which the judge did not say present. */
  specificity: judgeShareSchema,
  /** Items with a label and a verdict; kappa rests on these. */
  nCompared: count,
  /** Of these, unclear to one side or the other: in neither share. */
  nUnclear: count,
  /** Labelled items on which the judge gave no usable verdict. */
  nUnusable: count,
});
/** A judge against people, on one trait or on all. */
export type JudgeAgainstHumans = Shape<typeof judgeAgainstHumansSchema>;

const traitCalibrationSchema = judgeAgainstHumansSchema.extend({ status: calibrationStatusSchema });
export const judgeCalibrationSchema = z.object({
  overall: judgeAgainstHumansSchema,
  /** Every metric trait that was judged or labelled. */
  byTrait: z.record(z.string(), traitCalibrationSchema),
  /** `calibrated` where every metric trait of the run is: this alone decides whether a report may use the word. */
  status: calibrationStatusSchema.shape.status,
  /** Items that two or more people labelled. */
  nDoubleRated: count,
  /** Of these, items on which they disagree: they have no reference verdict, and are in no number. */
  nDisputed: count,
  /** Labels that fit nothing that was judged, or that label an item again, with the reason; they count nowhere. */
  unmatched: z.array(z.object({ line: z.number(), reason: z.string() })),
});
/** A judge's verdicts against those of people. */
export interface JudgeCalibration extends Shape<typeof judgeCalibrationSchema> {
  /** What the labels show about the judge: it is refuted where they show too many errors. */
  readonly evidence: LabelEvidence;
}

type Pair = CalibrationPair & { readonly human: Verdict };

interface CalibrationOptions {
  /** Default: 0.95. */
  readonly level?: number;
  /** Whether all verdicts are of one judge with one prompt and one set of parameters. Default: true. */
  readonly sameInstrument?: boolean;
  /** Traits whose items people cannot decide as written: no judge is calibrated on them. Default: none. */
  readonly notDecidable?: readonly string[];
}

/**
 * How a judge does against people's labels: Cohen's kappa over the verdicts, sensitivity and specificity of "present", for each trait and over all.
 *
 * @example
 * ```ts
 * const trait = new MetricRubricTrait({ name: 'BCL2', metrics: ['recall'], tpInstructions: ['Mentions BCL2', 'Mentions BAX'] });
 * const items = listItems(trait);
 * const verdicts = items.map(({ id }) => ({ id, verdict: 'absent', quotes: [], reason: null }));
 * const labels = parseHumanLabels(`
 *   {"question_id":"q1","trait":"BCL2","instruction":"mentions BCL2","verdict":"present"}
 *   {"question_id":"q1","trait":"BCL2","instruction":"mentions BAX","verdict":"absent"}`);
 * const { overall } = judgeCalibration(labels, [{ questionId: 'q1', items, verdicts }]);
 * [overall.sensitivity.value, overall.specificity.value, overall.kappa] // => [0, 1, 0]
 * ```
 */
export function judgeCalibration(
  labels: readonly HumanLabel[],
  judged: readonly JudgedQuestion[],
  options: CalibrationOptions = {},
): JudgeCalibration {
  const questions = new Map(judged.map((question) => [question.questionId, question]));
  const unmatched: { line: number; reason: string }[] = [];
  const labelled = new Map<string, { question: JudgedQuestion; item: RubricItem; labels: HumanLabel[] }>();
  for (const label of labels) {
    const question = questions.get(label.questionId);
    const item = question?.items.find((candidate) => isNamedItem(candidate, label.item));
    if (question === undefined || item === undefined) {
      unmatched.push({
        line: label.line,
        reason: question === undefined ? 'no_such_question' : 'no_such_item',
      });
      continue;
    }
    const key = JSON.stringify([label.questionId, item.id]);
    const entry = labelled.get(key) ?? { question, item, labels: [] };
    labelled.set(key, entry);
    const earlier = entry.labels.find(({ rater }) => rater === undefined || rater === label.rater);
    const first = label.rater === undefined ? entry.labels[0] : earlier;
    if (first === undefined) entry.labels.push(label);
    else unmatched.push({ line: label.line, reason: `labelled_already_in_line_${first.line}` });
  }
  const pairs = [...labelled.values()].map(({ question, item, labels: own }) => ({
    traitName: item.traitName,
    question: question.questionId,
    isDoubleRated: own.length > 1,
    inclusionProbabilities: own.map(({ inclusionProbability }) => inclusionProbability ?? null),
    human: own.every(({ verdict }) => verdict === own[0]!.verdict) ? own[0]!.verdict : null,
    judge: judgeVerdict(question, item.id),
  }));
  const names = new Set(judged.flatMap(({ items }) => items.map(({ traitName }) => traitName)));
  return { ...calibrateTraits(pairs, [...names], options), unmatched };
}

/** The same from items that are already matched: `names` are the metric traits of the run. */
export function calibrateTraits(
  pairs: readonly CalibrationPair[],
  names: readonly string[],
  { level = DEFAULT_LEVEL, sameInstrument = true, notDecidable = [] }: CalibrationOptions = {},
): JudgeCalibration {
  const settled = pairs.filter((pair): pair is Pair => pair.human !== null);
  const byTrait = names.map((name): [string, Shape<typeof traitCalibrationSchema>] => {
    const own = settled.filter(({ traitName }) => traitName === name);
    const status = calibrationStatus(
      {
        pairs: own,
        nDoubleRated: pairs.filter(({ traitName, isDoubleRated }) => traitName === name && isDoubleRated)
          .length,
        sameInstrument,
        randomSample: isRandomSample(own),
        notDecidable: notDecidable.includes(name),
      },
      { level },
    );
    return [name, { ...against(own, level), status }];
  });
  const isCalibrated =
    byTrait.length > 0 && byTrait.every(([, { status }]) => status.status === 'calibrated');
  return {
    overall: against(settled, level),
    byTrait: Object.fromEntries(byTrait),
    status: isCalibrated ? 'calibrated' : 'not_calibrated',
    evidence: labelEvidence(pairs, names),
    nDoubleRated: pairs.filter(({ isDoubleRated }) => isDoubleRated).length,
    nDisputed: pairs.length - settled.length,
    unmatched: [],
  };
}

/** Items drawn with different probabilities, such as by verdict, are no simple random sample: plain shares over them would mislead. */
function isRandomSample(pairs: readonly Pair[]): boolean {
  const probabilities = new Set(pairs.flatMap(({ inclusionProbabilities }) => inclusionProbabilities));
  return probabilities.size === 1 && !probabilities.has(null);
}

function judgeVerdict({ verdicts }: JudgedQuestion, id: string): Verdict | null {
  const found = verdicts.find((verdict) => verdict.id === id)?.verdict;
  return isVerdict(found) ? found : null;
}

function against(pairs: readonly Pair[], level: number): JudgeAgainstHumans {
  const compared = pairs.filter((pair): pair is Pair & { judge: Verdict } => pair.judge !== null);
  const clear = compared.filter(({ human, judge }) => human !== 'unclear' && judge !== 'unclear');
  const positive = clear.filter(({ human }) => human === 'present');
  const negative = clear.filter(({ human }) => human !== 'present');
  return {
    kappa: cohenKappa(
      compared.map(({ human }) => human),
      compared.map(({ judge }) => judge),
    ),
    sensitivity: share(positive, ({ judge }) => judge === 'present', 'no_positive_labels', level),
    specificity: share(negative, ({ judge }) => judge !== 'present', 'no_negative_labels', level),
    nCompared: compared.length,
    nUnclear: compared.length - clear.length,
    nUnusable: pairs.length - compared.length,
  };
}

function share(
  pairs: readonly Pair[],
  agrees: (pair: Pair) => boolean,
  undefinedReason: string,
  level: number,
): Shape<typeof judgeShareSchema> {
  const n = pairs.length;
  if (n === 0) return { value: null, reason: undefinedReason, n, interval: null };
  const part = pairs.filter(agrees).length;
  // Items of one question go together; with a single question there is nothing to tell how far.
  const found = wilsonClustered(
    pairs.map((pair) => Number(agrees(pair))),
    pairs.map(({ question }) => question),
    level,
  );
  const [lower, upper] = found === null ? wilsonInterval(part, n, level)! : [found.lower, found.upper];
  return { value: part / n, reason: null, n, interval: { lower, upper, level } };
}
