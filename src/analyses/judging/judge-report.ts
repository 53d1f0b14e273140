import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import type { HumanLabel } from '../../rubrics/calibration/human-labels.ts';
import {
  type JudgeCalibration,
  judgeCalibration,
  judgeCalibrationSchema,
} from '../../rubrics/calibration/judge-calibration.ts';
import { labelEvidenceSchema } from '../../rubrics/calibration/judge-gate-status.ts';
import {
  type PassVerdict,
  passAgreement,
  passAgreementSchema,
} from '../../rubrics/calibration/pass-agreement.ts';
import { listItems } from '../../rubrics/traits/metric-trait.ts';
import { judgePresentSchema } from './judge-configurations.ts';
import { judgeLedger } from './judge-ledger.ts';
import type { JudgedAnswer, QuestionTrait } from './judged-answers.ts';
import { judgesAgreement, judgesAgreementSchema } from './judges-agreement.ts';
import { ITEM_CLASSES } from './score-metric-trait.ts';
import { type Judgements, SCORED_PASS } from './stored-judgements.ts';

export const saidOfItemSchema = z.object({
  judge: z.string(),
  id: z.string(),
  repeat: z.number(),
  itemId: z.string(),
  verdicts: z.array(z.string()),
});
const judgeReliabilitySchema = passAgreementSchema.extend({
  judge: z.string(),
  passes: count,
  /** Items on which not all passes agree. */
  flipped: z.array(saidOfItemSchema.omit({ judge: true })),
});
export type JudgeReliability = Shape<typeof judgeReliabilitySchema>;

export const judgeReportSchema = z.object({
  /** The judges whose verdicts are scored. Several where traits were added by another judge; none before the answers are judged. */
  names: z.array(z.string()),
  /** All judges whose judgements the run holds. */
  judges: z.array(judgePresentSchema),
  /** The items of all answers by their class; the classes sum to `n`. */
  ledger: z.record(z.enum(['n', ...ITEM_CLASSES]), count),
  /** How far each judge agrees with itself over passes. */
  reliability: z.array(judgeReliabilitySchema),
  /** How far two judges agree, for every two. */
  betweenJudges: z.array(judgesAgreementSchema),
  /** Against people's labels; null while no label matches an item that was judged. A comparison alone does not make a judge calibrated. */
  calibration: judgeCalibrationSchema.nullable(),
  /** What people's labels show about the judge; null without labels. */
  evidence: labelEvidenceSchema.nullable(),
  /** `calibrated`: enough labels, drawn at random, double ratings, and error rates that are not bad, for every metric trait. `refuted`: labels show too many errors. */
  status: z.enum(['calibrated', 'not_calibrated', 'refuted']),
  /** What leads: the score as judged, the corrected one, or none. */
  headline: z.enum(['raw_first', 'corrected_first', 'no_score']),
  /** Why `calibration` is null: `no_labels`, `no_label_fits`. */
  calibrationReason: z.string().nullable(),
});
/** The same with what JSON does not have. */
export const fullJudgeReportSchema = judgeReportSchema.extend({
  calibration: judgeCalibrationSchema.extend({ evidence: labelEvidenceSchema }).nullable(),
  /** What every judge said of every item, scored or not: for readers who look at single verdicts. */
  said: z.array(saidOfItemSchema),
  /** Whether all verdicts that are scored are of one judge, or one jury, with one prompt. */
  sameInstrument: z.boolean(),
});
/** Who judged, and how far they can be trusted. */
export type JudgeReport = Shape<typeof fullJudgeReportSchema>;

interface Facts {
  /** Whose verdicts are scored. */
  readonly names: readonly string[];
  readonly answers: readonly JudgedAnswer[];
  readonly judgements: Judgements;
  readonly findTraits: (questionId: string) => readonly QuestionTrait[];
  readonly labels: readonly HumanLabel[] | null;
  readonly level: number;
}

/** Who judged, what became of every item, and how far the judges can be trusted; `status` and `headline` need the review as well. */
export function judgeReport(facts: Facts): Omit<JudgeReport, 'status' | 'headline'> {
  const { names, answers, judgements, labels, level } = facts;
  const { judges } = judgements;
  const { jury, juryName } = judgements;
  const scored = names[0] === juryName ? jury : judges.filter(({ name }) => name === names[0]);
  // A jury of the same judges is one instrument.
  const sameInstrument = names.length === 1 && scored.every(({ promptHashes }) => promptHashes.length < 2);
  const found = labels === null ? null : calibrate(answers, labels, { level, sameInstrument });
  const calibration = found !== null && found.overall.nCompared > 0 ? found : null;
  const said = (judge: string) => saidBy(judge, SCORED_PASS, facts);
  return {
    names,
    judges,
    sameInstrument,
    ledger: judgeLedger(answers),
    reliability: judges.map(({ name, passes }) => reliability(name, passes, facts)),
    betweenJudges: judges.flatMap(({ name }, i) =>
      judges.slice(i + 1).map((other) => judgesAgreement([name, other.name], said(name), said(other.name))),
    ),
    said: judges.flatMap(({ name, passes }) => saidOfItems(name, passes, facts)),
    calibration,
    evidence: calibration?.evidence ?? null,
    calibrationReason: calibration !== null ? null : labels === null ? 'no_labels' : 'no_label_fits',
  };
}

function reliability(judge: string, passes: number, facts: Facts): JudgeReliability {
  const said = Array.from({ length: passes }, (_, pass) => saidBy(judge, pass, facts)).flat();
  const { items, ...overall } = passAgreement(said);
  return {
    judge,
    passes,
    ...overall,
    flipped: items
      .filter(({ agreement }) => agreement !== null && agreement < 1)
      .map(({ questionId, itemId, verdicts }) => {
        const [id, repeat] = JSON.parse(questionId) as [string, number];
        return { id, repeat, itemId, verdicts };
      }),
  };
}

function saidOfItems(judge: string, passes: number, facts: Facts): Shape<typeof saidOfItemSchema>[] {
  const said = Array.from({ length: passes }, (_, pass) => saidBy(judge, pass, facts)).flat();
  const byItem = Map.groupBy(said, ({ questionId, itemId }) => `${questionId} ${itemId}`);
  return [...byItem.values()].map((ofItem) => {
    const { questionId, itemId } = ofItem[0]!;
    const [id, repeat] = JSON.parse(questionId) as [string, number];
    return { judge, id, repeat, itemId, verdicts: ofItem.map(({ verdict }) => verdict) };
  });
}

/** Everything a judge said in one pass. Each repeat is an answer of its own. */
function saidBy(judge: string, pass: number, { answers, judgements, findTraits }: Facts): PassVerdict[] {
  return answers.flatMap(({ id, repeat }) =>
    findTraits(id).flatMap((entry) => {
      if (entry.scoredBy !== 'items') return [];
      const outcome = judgements.outcome({ recordId: id, repeat, judge, pass, rubric: entry.rubric });
      const verdicts = new Map((outcome?.verdicts ?? []).map((given) => [given.id, given.verdict]));
      return listItems(entry.trait).flatMap((item): PassVerdict[] => {
        const verdict = verdicts.get(item.id);
        if (verdict === undefined) return [];
        return [{ questionId: JSON.stringify([id, repeat]), itemId: item.id, pass, verdict }];
      });
    }),
  );
}

/** Labels speak of the first answer to a question. */
function calibrate(
  answers: readonly JudgedAnswer[],
  labels: readonly HumanLabel[],
  options: { readonly level: number; readonly sameInstrument: boolean },
): JudgeCalibration {
  const first = answers.filter(({ repeat, state }) => repeat === 0 && state === 'answered');
  return judgeCalibration(
    labels,
    first.map(({ id, metricTraits }) => {
      const items = metricTraits.flatMap((result) => result.items);
      const verdicts = items.map((item) => ({ id: item.id, verdict: item.class }));
      return { questionId: id, items, verdicts };
    }),
    options,
  );
}
