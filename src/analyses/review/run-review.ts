import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import type { EmergencyRule } from '../../core/decision-class.ts';
import type { Label } from '../../core/label.ts';
import { readRunReview, reviewPath, seenRecordHash, seenTextHash } from '../../store/review/review-file.ts';
import type { Review } from '../../store/review/review-schema.ts';
import { RunFile } from '../../store/run-file.ts';
import type { JudgedAnswer } from '../judging/judged-answers.ts';
import type { DecidedRow } from './decisions.ts';
import { type ItemReview, itemReview, itemReviewSchema } from './item-review.ts';
import { type PanelLabel, type PanelReport, panelLabels, panelReport } from './panel.ts';
import { recordReview, recordReviewSchema } from './record-review.ts';
import { labelCountsSchema, resolveTargets, type TextsOf, targetStateSchema } from './resolve-targets.ts';

const suiteItemReviewSchema = z.object({
  counts: labelCountsSchema,
  /** Records and lines by what people settled on. */
  right: count,
  /** Called wrong or ambiguous. What two people agree on leaves scores under a new version of the suite, for all models alike; results of this version stay as they are. */
  faults: z.array(
    z.object({
      recordId: z.string(),
      itemId: z.string().nullable(),
      verdict: z.string(),
      /** `single` is the word of one person: a reason to look, not a finding. */
      state: targetStateSchema,
      /** People who say so, the one who ruled included. */
      nAgreeing: count,
    }),
  ),
});
/** The faults of a suite that people found; null without such labels. */
function suiteItemReview(
  review: Pick<Review, 'events' | 'draws'>,
  textsOf: TextsOf,
): Shape<typeof suiteItemReviewSchema> | null {
  const { counts, targets } = resolveTargets(review, 'suite_item', textsOf);
  if (counts.n === 0) return null;
  return {
    counts,
    right: targets.filter(({ decision }) => decision === 'right').length,
    faults: targets.flatMap(({ recordId, itemId, decision, state, nAgreeing }) =>
      decision === null || decision === 'right'
        ? []
        : [{ recordId, itemId, verdict: decision, state, nAgreeing }],
    ),
  };
}

export const runReviewSchema = z.object({
  /** The last label that was read: a later report can be made again from the labels up to it. Null without labels. */
  lastLabel: z.object({ id: z.string(), n: count, hash: z.string() }).nullable(),
  /** Items of judged answers; null for a run with labels. */
  items: itemReviewSchema.nullable(),
  /** Records of a run with labels; null for open questions. */
  records: recordReviewSchema.nullable(),
  /** Faults of the suite itself; null without labels on it. */
  suiteItems: suiteItemReviewSchema.nullable(),
});
/** What people say of a run. The three kinds of labels are never pooled. */
export interface RunReview extends Shape<typeof runReviewSchema> {
  readonly items: ItemReview | null;
}

/** A run without labels. */
export const NO_REVIEW: Review = {
  runId: null,
  suiteHash: null,
  plans: [],
  draws: [],
  events: [],
  raters: [],
  head: null,
};

/** The review of a run file: the labels beside it, or why they cannot be used. */
export function ownReview(path: string): { readonly review: Review | null; readonly problem: string | null } {
  try {
    const review = readRunReview(path);
    // The texts of a protected run are not in its file, so that hashes alone would not show it.
    if (review !== null && review.runId !== null && review.runId !== RunFile.peek(path)?.runId)
      return { review: null, problem: `${reviewPath(path)}: is the review of another run` };
    return { review, problem: null };
  } catch (error) {
    return { review: null, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** What is known of texts that a run file does not hold: a version of a suite has one text for each record. */
function notHeld(review: Review, suiteHash: string | null): 'as_drawn' | 'unknown' {
  return suiteHash !== null && review.suiteHash === suiteHash ? 'as_drawn' : 'unknown';
}

/** The texts of records as a run file holds them. */
function recordTexts(file: RunFile, review: Review): TextsOf {
  const otherwise = notHeld(review, file.manifest().identity.suiteHash);
  const hashes = new Map<string, string | null>();
  for (const { id, features } of file.records.read())
    hashes.set(id, features === null ? null : seenRecordHash(features));
  const itemHash = seenTextHash('');
  return ({ recordId, itemId }) => {
    const answerHash = hashes.get(recordId);
    if (answerHash === undefined || itemId !== null) return null;
    return answerHash === null ? otherwise : { answerHash, itemHash };
  };
}

/** The texts of questions and of rubric lines. */
function questionTexts(answers: readonly JudgedAnswer[], otherwise: ReturnType<typeof notHeld>): TextsOf {
  const questions = new Map(answers.map((answer) => [answer.id, answer]));
  return ({ recordId, itemId }) => {
    const answer = questions.get(recordId);
    const items = answer?.metricTraits.flatMap((result) => result.items) ?? [];
    const line = itemId === null ? '' : items.find(({ id }) => id === itemId)?.instruction;
    if (answer === undefined || line === undefined) return null;
    if (answer.question === null) return otherwise;
    return { answerHash: seenTextHash(answer.question), itemHash: seenTextHash(line) };
  };
}

/** The review of a run with labels. */
export function labelReview(
  review: Review,
  facts: {
    readonly file: RunFile;
    readonly rows: readonly DecidedRow[];
    readonly labels: readonly Label[];
    readonly rule: EmergencyRule;
    readonly level: number;
  },
): RunReview {
  const textsOf = recordTexts(facts.file, review);
  return {
    lastLabel: review.head,
    items: null,
    records: recordReview(review, { ...facts, textsOf }),
    suiteItems: suiteItemReview(review, textsOf),
  };
}

/** The review of a run of open questions. */
export function questionReview(
  review: Review,
  { suiteHash, ...facts }: Parameters<typeof itemReview>[1] & { readonly suiteHash: string | null },
): RunReview {
  const textsOf = questionTexts(facts.answers, notHeld(review, suiteHash));
  return {
    lastLabel: review.head,
    items: itemReview(review, facts),
    records: null,
    suiteItems: suiteItemReview(review, textsOf),
  };
}

/** The run against a panel: the labels of its own review, without those on a text that has changed since, and those of others. Null without any. */
export function comparePanel(
  review: Review | null,
  others: readonly PanelLabel[],
  { file, rows, level }: Pick<Parameters<typeof labelReview>[1], 'file' | 'rows' | 'level'>,
): PanelReport | null {
  const own = review === null ? [] : panelLabels(withoutStale(review, recordTexts(file, review)));
  return panelReport([...own, ...others], rows, level);
}

function withoutStale(review: Review, textsOf: TextsOf): Review {
  const events = review.events.filter((event) => {
    const texts = textsOf(event);
    if (texts === null || typeof texts === 'string') return true;
    return texts.answerHash === event.answerHash && texts.itemHash === event.itemHash;
  });
  return { ...review, events };
}
