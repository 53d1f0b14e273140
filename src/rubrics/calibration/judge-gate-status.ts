import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { judgeAccuracy, labelShare } from '../../statistics/methods/judge-accuracy.ts';
import { kappaAgreement } from '../../statistics/methods/rater-agreement.ts';
import { DEFAULT_LEVEL } from '../../statistics/score-options.ts';
import type { Verdict } from '../verdict.ts';

const judgeEvidenceSchema = z.object({
  /** Items with a clear verdict of people and of the judge. */
  nLabelled: count,
  nQuestions: count,
  /** Whether the items were drawn at random, or with stated probabilities. */
  randomSample: z.boolean(),
  /** Null where there is no such bound. */
  sensitivityUpper: z.number().nullable(),
  specificityUpper: z.number().nullable(),
  /** Of kappa over present and not present. */
  kappaUpper: z.number().nullable(),
  /** The share of people's verdicts that are present; null without any. */
  positiveShare: z.number().nullable(),
});
/** What people's labels show about a judge, by the upper 95 % bounds of its agreement with them. */
export type JudgeEvidence = Shape<typeof judgeEvidenceSchema>;

/** Whether a judge may be relied on: `refuted` where people's labels show that it is wrong too often. */
export type JudgeStatus = 'calibrated' | 'not_calibrated' | 'refuted';

/** What the headline of judged answers leads with. */
export type JudgeHeadline = 'raw_first' | 'corrected_first' | 'no_score';

/** What is known about a judge and about the score that a gate rests on. */
export interface JudgeGateInputs extends JudgeEvidence {
  /** Whether the judge is calibrated by `calibrationStatus`. */
  readonly calibrated: boolean;
  /** Whether people's labels give a corrected score. */
  readonly correctedAvailable: boolean;
  /** Whether the user accepts a judge that is not calibrated. */
  readonly allowUncalibrated: boolean;
  /** The score as judged, or corrected by people's labels. */
  readonly score: 'raw' | 'corrected';
}

/** Whether a gate on a judged score is decided, and what a headline leads with. */
export interface JudgeGateStatus {
  readonly judge: JudgeStatus;
  readonly gate: 'decided' | 'undecided';
  /** Why the gate is undecided; null where it is decided. */
  readonly reason: JudgeGateReason | null;
  readonly headline: JudgeHeadline;
  /** Whether the user's acceptance has to be recorded with the outcome. */
  readonly flagRecorded: boolean;
}

/** Why a gate on a judged score is undecided. */
export type JudgeGateReason = 'judge_refuted' | 'judge_not_calibrated' | 'no_corrected_score';

const MIN_LABELLED = 20;
const MIN_QUESTIONS = 10;
/** A judge whose sensitivity or specificity is shown to be below this is refuted. */
const MIN_ACCURACY = 0.8;
/** Likewise for kappa, which is low for every judge where one verdict is rare. */
const MIN_KAPPA = 0.4;
const POSITIVE_SHARES = { min: 0.1, max: 0.9 };

/** The measures by which people's labels refute a judge; empty where they do not. Labels picked by hand refute nothing. */
export function refutingMeasures(evidence: JudgeEvidence): ('sensitivity' | 'specificity' | 'kappa')[] {
  const { nLabelled, nQuestions, randomSample, positiveShare } = evidence;
  if (!randomSample || nLabelled < MIN_LABELLED || nQuestions < MIN_QUESTIONS) return [];
  const isBalanced =
    positiveShare !== null && positiveShare >= POSITIVE_SHARES.min && positiveShare <= POSITIVE_SHARES.max;
  const isBelow = (upper: number | null, least: number) => upper !== null && upper < least;
  const refuted = {
    sensitivity: isBelow(evidence.sensitivityUpper, MIN_ACCURACY),
    specificity: isBelow(evidence.specificityUpper, MIN_ACCURACY),
    kappa: isBalanced && isBelow(evidence.kappaUpper, MIN_KAPPA),
  };
  return (['sensitivity', 'specificity', 'kappa'] as const).filter((measure) => refuted[measure]);
}

/**
 * Whether a gate on a judged score is decided, and what a headline leads with. A refuted judge decides nothing, calibrated or accepted as it may be. A corrected score rests on people's labels, so that it
 * needs no calibrated judge.
 *
 * @example
 * ```ts
 * const labels = { nLabelled: 72, nQuestions: 24, randomSample: true, sensitivityUpper: 0.61, specificityUpper: 0.5, kappaUpper: 0.2, positiveShare: 0.6 };
 * judgeGateStatus({ ...labels, calibrated: false, correctedAvailable: true, allowUncalibrated: true, score: 'raw' })
 * // => { judge: 'refuted', gate: 'undecided', reason: 'judge_refuted', headline: 'corrected_first', flagRecorded: true }
 * ```
 */
export function judgeGateStatus(inputs: JudgeGateInputs): JudgeGateStatus {
  const { calibrated, correctedAvailable, allowUncalibrated, score } = inputs;
  const isRefuted = refutingMeasures(inputs).length > 0;
  const judge = isRefuted ? 'refuted' : calibrated ? 'calibrated' : 'not_calibrated';
  const reason =
    score === 'corrected'
      ? correctedAvailable
        ? null
        : 'no_corrected_score'
      : isRefuted
        ? 'judge_refuted'
        : calibrated || allowUncalibrated
          ? null
          : 'judge_not_calibrated';
  return {
    judge,
    gate: reason === null ? 'decided' : 'undecided',
    reason,
    headline: !isRefuted ? 'raw_first' : correctedAvailable ? 'corrected_first' : 'no_score',
    flagRecorded: allowUncalibrated,
  };
}

/** What people and the judge say of one item. */
export interface CalibrationPair {
  readonly traitName: string;
  readonly question: string;
  readonly isDoubleRated: boolean;
  /** With which probability the item was drawn, label by label; null where that is not known. */
  readonly inclusionProbabilities: readonly (number | null)[];
  /** Null where people disagree: the item is in no number. */
  readonly human: Verdict | null;
  /** Null where the judge gave nothing usable. */
  readonly judge: Verdict | null;
}

export const labelEvidenceSchema = judgeEvidenceSchema.extend({
  /** Null: all metric traits. */
  trait: z.string().nullable(),
});
/** What people's labels show about a judge, on all metric traits or on one. */
export type LabelEvidence = Shape<typeof labelEvidenceSchema>;

/** The labels that refute the judge: those on all traits, else those on one trait. Where none do, all labels. */
export function labelEvidence(pairs: readonly CalibrationPair[], names: readonly string[]): LabelEvidence {
  const drawn = pairs.flatMap((pair) => clearPair(pair, drawnWith(pair)));
  const randomSample = drawn.length > 0;
  const used = randomSample ? drawn : pairs.flatMap((pair) => clearPair(pair, 1));
  const groups = [null, ...names].map((name) => {
    const own = used.filter(({ trait }) => name === null || trait === name);
    return evidenceOn(own, name, randomSample);
  });
  return groups.find((evidence) => refutingMeasures(evidence).length > 0) ?? groups[0]!;
}

/** Verdicts that enter a score on both sides. Scores ask for present or not, so the other verdicts are one. */
function clearPair({ traitName, question, human, judge }: CalibrationPair, pi: number | null) {
  if (human === null || judge === null || human === 'unclear' || judge === 'unclear' || pi === null)
    return [];
  return [{ trait: traitName, human: human === 'present', judge: judge === 'present', question, pi }];
}

/** The probability with which an item was drawn; null where its labels state none, or not the same one. */
function drawnWith({ inclusionProbabilities }: CalibrationPair): number | null {
  const [pi = null, ...others] = new Set(inclusionProbabilities);
  return others.length === 0 ? pi : null;
}

function evidenceOn(
  pairs: ReturnType<typeof clearPair>,
  trait: string | null,
  randomSample: boolean,
): LabelEvidence {
  const { sensitivity, specificity } = judgeAccuracy(pairs, DEFAULT_LEVEL);
  const kappa = kappaAgreement(
    {
      a: pairs.map(({ human }) => human),
      b: pairs.map(({ judge }) => judge),
      clusters: pairs.map(({ question }) => question),
      probabilities: pairs.map(({ pi }) => pi),
    },
    { level: DEFAULT_LEVEL },
  );
  const positives = pairs.map(({ human, pi, question }) => ({ value: Number(human), pi, cluster: question }));
  return {
    trait,
    nLabelled: pairs.length,
    nQuestions: new Set(pairs.map(({ question }) => question)).size,
    randomSample,
    sensitivityUpper: sensitivity.upper,
    specificityUpper: specificity.upper,
    kappaUpper: kappa?.upper ?? null,
    positiveShare: labelShare(positives, DEFAULT_LEVEL).value,
  };
}
