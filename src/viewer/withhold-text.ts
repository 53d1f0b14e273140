import { INVALID_REASONS, isFailureProblem } from '../core/browser.ts';
import { labelTextKey, type RecordLine } from '../store/browser.ts';
import type {
  ComparedRecordsPayload,
  ComparePayload,
  QuestionsPayload,
  RecordPayload,
  RunLine,
  RunPayload,
} from './api.ts';

/**
 * Removes the text of patients and models, which an export of a protected suite leaves out: ids, classes and numbers remain. An answer that is not a label counts as text, and so does
 * metadata, which may identify people in a small suite: only keys that the run was scored by remain. Reasons to defer are metadata, too.
 */
export function withoutText({ labels, facets, scored_by: scoredBy }: RunPayload) {
  const isLabel = labelAmong(labels, facets);
  const among = <T>(values: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(values).filter(([key]) => scoredBy.includes(key)));
  const line = <T extends RecordLine>(whole: T): T => ({
    ...whole,
    prediction: isLabel(whole.prediction) ? whole.prediction : null,
    reasons: [],
    groups: among(whole.groups),
    ...(whole.metadata && { metadata: {} }),
  });
  return {
    line,
    run: ({ sections_without_text: sections, ...run }: RunPayload): RunPayload => ({
      ...run,
      sections: sections ?? run.sections,
      run: withoutNotes(run.run),
      facets: {
        ...run.facets,
        prediction: run.facets.prediction.filter((text) => text === 'null' || isLabel(text)),
        reason: [],
      },
      subgroups: among(run.subgroups),
    }),
    record: (record: RecordPayload): RecordPayload => ({
      ...line(record),
      features: null,
      decisive: [],
      // What people wrote may repeat what they saw.
      note: null,
      metadata: {},
      raw_response: null,
      state_reason: knownReason(record.state_reason),
      deferral_reason: null,
      problem: knownReason(record.problem),
      prompt_sent: null,
      prompt_sent_reason: 'the suite is protected',
      // A provider's message may repeat what it was sent; the kind of fault comes before the colon.
      attempts: record.attempts.map((attempt) => ({
        ...attempt,
        error: attempt.error === null ? null : (/^\w+(?=:|$)/.exec(attempt.error)?.[0] ?? 'error'),
      })),
    }),
  };
}

/** What people wrote about a run may repeat what they saw in it. */
export function withoutNotes(run: RunLine): RunLine {
  return { ...run, notes: { name: null, note: null, tags: [], hidden: run.notes.hidden } };
}

/** A reason that the model, a provider or a file stated in other words than ours may repeat what it was about. */
function knownReason(reason: string | null): string | null {
  return isFailureProblem(reason) || INVALID_REASONS.includes(String(reason)) ? reason : null;
}

/** Whether a text is a label of the task or of a record. */
export function labelAmong(labels: readonly string[], facets: Pick<RunPayload['facets'], 'label'>) {
  const keys = new Set([...labels, ...facets.label].map(labelTextKey));
  return (text: string | null) => keys.has(labelTextKey(text));
}

/** An export has the sections without answers, and no notes of people. */
export function comparisonWithoutText({
  sections_without_text: sections,
  ...payload
}: ComparePayload): ComparePayload {
  return { ...payload, sections: sections ?? payload.sections, runs: payload.runs.map(withoutNotes) };
}

/** Answers to open questions and instructions of rubrics are text. */
export function comparedWithoutText(
  payload: ComparedRecordsPayload,
  { labels, facets }: RunPayload,
): ComparedRecordsPayload {
  const isLabel = labelAmong(labels, facets);
  const rows = payload.rows.map((row) => ({
    ...row,
    question: null,
    items: row.items.map((item) => ({ ...item, instruction: null })),
    sides: row.sides.map((side) => ({
      ...side,
      answers: side.answers.map((answer) => ({
        ...answer,
        prediction: isLabel(answer.prediction) ? answer.prediction : null,
        text: null,
      })),
    })),
  }));
  return { ...payload, runs: payload.runs.map(withoutNotes), rows };
}

/** Instructions of rubrics may repeat the case that they are about, so they are removed as well. */
export function questionsWithoutText(payload: QuestionsPayload): QuestionsPayload {
  const verdicts = payload.evaluation_results.flatMap(({ rubric }) => rubric.verdicts);
  const instructions = [...new Set(verdicts.map(({ instruction }) => instruction))];
  const masked = (_: string, value: unknown) =>
    typeof value === 'string' && instructions.some((text) => value.includes(text)) ? NOT_EXPORTED : value;
  const answers = payload.evaluation_results.map(answerWithoutText);
  const { sections_without_text: sections = payload.sections, ...rest } = payload;
  const run = withoutNotes(payload.run);
  return JSON.parse(JSON.stringify({ ...rest, sections, run, evaluation_results: answers }, masked));
}

export const NOT_EXPORTED = 'not exported';

function answerWithoutText(answer: QuestionsPayload['evaluation_results'][number]) {
  const { rubric } = answer;
  return {
    ...answer,
    question: null,
    raw_response: null,
    judge_problems: [],
    rubric: {
      ...rubric,
      // These lists may contain quotes.
      metric_trait_confusion_lists: {},
      trait_reasons: [],
      // Values are copied from the answer, and explanations are the judge's text; sources, tags and checks may repeat the case.
      verdicts: rubric.verdicts.map(
        ({ value: _v, explanation: _e, source: _s, tags: _t, check: _c, ...verdict }) => ({
          ...verdict,
          quotes: [],
        }),
      ),
    },
  };
}
