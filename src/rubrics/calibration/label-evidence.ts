import { z } from 'zod';
import type { Shape } from '../../core/index.ts';
import { DEFAULT_LEVEL } from '../../statistics/index.ts';
import { judgeAccuracy, kappaAgreement, labelShare } from '../../statistics/methods/index.ts';
import type { CalibrationPair } from './calibration-pair.ts';
import { judgeEvidenceSchema, refutingMeasures } from './judge-gate-status.ts';

export const labelEvidenceSchema = judgeEvidenceSchema.extend({
  /** Null: all metric traits. */
  trait: z.string().nullable(),
});
/** What people's labels show about a judge, on all metric traits or on one. */
export type LabelEvidence = Shape<typeof labelEvidenceSchema>;

interface ClearPair {
  readonly trait: string;
  readonly human: boolean;
  readonly judge: boolean;
  readonly question: string;
  readonly pi: number;
}

/** The labels that refute the judge: those on all traits, else those on one trait. Where none do, all labels. */
export function labelEvidence(pairs: readonly CalibrationPair[], names: readonly string[]): LabelEvidence {
  const drawn = pairs.flatMap((pair) => clearPair(pair, drawnWith(pair)));
  const randomSample = drawn.length > 0;
  const used = randomSample ? drawn : pairs.flatMap((pair) => clearPair(pair, 1));
  const groups = [
    evidenceOn(used, null, randomSample),
    ...names.map((name) =>
      evidenceOn(
        used.filter(({ trait }) => trait === name),
        name,
        randomSample,
      ),
    ),
  ];
  return groups.find((evidence) => refutingMeasures(evidence).length > 0) ?? groups[0]!;
}

/** Verdicts that enter a score on both sides. Scores ask for present or not, so the other verdicts are one. */
function clearPair({ traitName, question, human, judge }: CalibrationPair, pi: number | null): ClearPair[] {
  if (human === null || judge === null || human === 'unclear' || judge === 'unclear' || pi === null)
    return [];
  return [{ trait: traitName, human: human === 'present', judge: judge === 'present', question, pi }];
}

/** The probability with which an item was drawn; null where its labels state none, or not the same one. */
function drawnWith({ inclusionProbabilities }: CalibrationPair): number | null {
  const [pi = null, ...others] = new Set(inclusionProbabilities);
  return others.length === 0 ? pi : null;
}

function evidenceOn(pairs: readonly ClearPair[], trait: string | null, randomSample: boolean): LabelEvidence {
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
