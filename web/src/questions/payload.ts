import type {
  answerObject,
  FileShape,
  itemScoresObject,
  judgeObject,
  jurySchema,
  RunResult,
  reviewObject,
  traitObjects,
} from '../../../src/viewer/browser.ts';
import type { QuestionsPayload } from '../api.ts';

export type AnswerLine = ReturnType<typeof answerObject>;
export type SaidOfItem = QuestionsPayload['said'][number];
export type VerdictLine = AnswerLine['rubric']['verdicts'][number];
export type JudgeSummary = ReturnType<typeof judgeObject>;
export type ItemScoresSummary = ReturnType<typeof itemScoresObject>;
export type JurySummary = FileShape<typeof jurySchema>;
export type TraitSummary = ReturnType<typeof traitObjects>[number];
export type TraitScore = ItemScoresSummary['scores'][string];

/** The parts of `krisis report --json` for a run on open questions that the page reads. */
export interface ReadQuestions extends QuestionsPayload {
  readonly item_scores: ItemScoresSummary;
  /** What people say of the answers. Default: the run was not reviewed. */
  readonly review?: ReturnType<typeof reviewObject>;
  /** Null for a single judge. */
  readonly jury: JurySummary | null;
  readonly execution: RunResult['extras'];
  readonly n_questions: number;
  readonly ledger: Readonly<Record<string, number>>;
  readonly judge: JudgeSummary;
  readonly traits: readonly TraitSummary[];
  readonly metrics: Readonly<Record<string, AbstentionScore>>;
  readonly warnings: RunResult['warnings'];
  readonly provenance: { readonly method: Pick<RunResult['method'], 'level'> };
  readonly evaluation_results: readonly AnswerLine[];
}

export interface AbstentionScore
  extends Pick<RunResult['metricScores'][number], 'label' | 'value' | 'reason' | 'interval' | 'bounds'> {
  readonly n_evaluated: number;
}
