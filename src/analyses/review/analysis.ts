import { z } from 'zod';
import { toFile } from '../../core/codec.ts';
import { KrisisError } from '../../core/errors.ts';
import type { RunResult } from '../../runs/run-result.ts';
import { DEFAULT_LEVEL } from '../../statistics/score-options.ts';
import type { Review } from '../../store/review/review-schema.ts';
import { defineRunAnalysis, type LabelsInput, type RunInput } from '../analysis.ts';
import { verdictsAnalysis } from '../judging/verdicts.ts';
import { correctedScore, notCorrectedText } from './corrected-score.ts';
import { type DecidedRow, decidedRow } from './decisions.ts';
import { type PanelLabel, panelReportSchema, panelScore } from './panel.ts';
import {
  comparePanel,
  labelReview,
  NO_REVIEW,
  questionReview,
  type RunReview,
  runReviewSchema,
} from './run-review.ts';
import { review } from './section.ts';
import { transportedReview } from './transported.ts';

const reviewOptions = z.object({
  review: z.custom<Review | null>().optional(),
  /** A reviewed run of the same judge and rubric, whose labels give the judge's error rates. */
  labelledRun: z.custom<Pick<RunResult, 'judging' | 'review'>>().optional(),
  level: z.number().optional(),
});
type ReviewOptions = z.infer<typeof reviewOptions>;

/** What people say of the records, or of the answers and so of their judge. */
export const reviewAnalysis = defineRunAnalysis({
  id: 'review',
  appliesTo: 'both',
  field: 'review',
  needs: ['verdicts'],
  schema: runReviewSchema as z.ZodType<RunReview>,
  options: reviewOptions,
  compute: (input: RunInput, options: ReviewOptions = {}) =>
    REVIEWS[input.run.task?.kind ?? 'labels'](input, options),
  object: (found) => ({ review: reviewObject(found) }),
  scores: ({ items }) => (items?.corrected ?? []).map(correctedScore),
  sections: {
    judging: (run) => (run.judging === null ? null : review(run)),
    people: (run) => (run.judging === null ? review(run) : null),
  },
});

const REVIEWS = { labels: reviewRecords, text: reviewAnswers };

function reviewRecords(input: RunInput, { review: found }: ReviewOptions): RunReview | null {
  if (!found || !('table' in input)) return null;
  const { file, run, card } = input as LabelsInput;
  const { emergencyRule: rule, method } = card;
  const labels = run.task?.labels ?? [];
  return labelReview(found, { file, rows: decidedRows(input), labels, rule, level: method.level });
}

/** Without labels on the answers, what the judge's error rates in another run make of the scores. */
function reviewAnswers(
  { run, need }: RunInput,
  { review: found, labelledRun, level = DEFAULT_LEVEL }: ReviewOptions,
): RunReview | null {
  if (!found && labelledRun === undefined) return null;
  if (found?.runId && run.runId !== null && found.runId !== run.runId)
    throw new KrisisError(
      'these labels are on the answers of another run; they can lend the error rates of its judge (labelledRun), and no more',
      { code: 'ERR_REVIEW_FILE', value: found.runId },
    );
  const { judge, jury, answers, metricTraits } = need(verdictsAnalysis)!;
  const { sameInstrument } = judge;
  const facts = { answers, metricTraits, level, sameInstrument, suiteHash: run.suiteHash };
  const own = questionReview(found ?? NO_REVIEW, facts);
  if (labelledRun === undefined || own.items === null || own.items.counts.n > 0) return own;
  return { ...own, items: transportedReview(own.items, { judge, jury }, labelledRun, level) };
}

const panelOptions = z.object({
  review: reviewOptions.shape.review,
  panel: z.custom<readonly PanelLabel[]>().optional(),
});

/** The model against a panel of clinicians; its section is that of the review. */
export const panelAnalysis = defineRunAnalysis({
  id: 'panel',
  field: 'panel',
  schema: panelReportSchema,
  options: panelOptions,
  compute: (input: LabelsInput, { review: found = null, panel = [] }: z.infer<typeof panelOptions> = {}) => {
    if (found === null && panel.length === 0) return null;
    const { file, card } = input;
    return comparePanel(found, panel, { file, rows: decidedRows(input), level: card.method.level });
  },
  object: (found) => ({ panel: toFile(panelReportSchema, found) }),
  scores: (found, card) => [panelScore(found, card)],
});

/** All rows as decisions; read only where people said something. */
function decidedRows({ file, run }: RunInput): DecidedRow[] {
  const { cluster } = file.manifest();
  const rows: DecidedRow[] = [];
  for (const row of file.rows.read({ all: true, nRepeats: run.repeats }))
    rows.push(decidedRow(row, cluster, run.task?.actLabels ?? []));
  return rows;
}

/** What people say of a run, in file form. */
function reviewObject(review: RunReview) {
  const { items, ...rest } = toFile(runReviewSchema, review);
  const corrected = review.items?.corrected ?? [];
  return {
    ...rest,
    items: items && {
      ...items,
      corrected: items.corrected.map((score, i) => ({
        ...score,
        not_corrected: score.reason === null ? null : notCorrectedText(corrected[i]!),
      })),
    },
  };
}
