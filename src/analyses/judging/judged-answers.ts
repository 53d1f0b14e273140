import { pick } from '../../core/collections.ts';
import type { JudgeOutcome } from '../../rubrics/judge/judge-outcome.ts';
import type { JudgeProblem } from '../../rubrics/judge/judge-text.ts';
import type { Rubric } from '../../rubrics/rubric.ts';
import type { RubricTrait } from '../../rubrics/traits/kinds.ts';
import { CALLABLE_JUDGE } from '../../store/judgements.ts';
import type { RunFile } from '../../store/run-file.ts';
import type { Row } from '../../store/tables.ts';
import { type OtherTraitResult, otherTraitResult } from './other-traits.ts';
import { type MetricTraitResult, scoreMetricTrait } from './score-metric-trait.ts';
import { type Judgements, SCORED_PASS } from './stored-judgements.ts';

/** One answer, and everything that was said of it. */
export interface JudgedAnswer
  extends Pick<Row, 'repeat' | 'state' | 'stateReason' | 'inputTokens' | 'outputTokens' | 'totalTokens'> {
  readonly id: string;
  /** Null where the data are protected: the run does not hold it. */
  readonly question: string | null;
  readonly answer: string | null;
  /** As judged; null with a reason where it could not be judged. */
  readonly abstained: boolean | null;
  readonly abstainedReason: string | null;
  /** Whether declining is right; null where the question does not say. */
  readonly shouldAbstain: boolean | null;
  readonly tags: readonly string[];
  readonly metricTraits: readonly MetricTraitResult[];
  readonly otherTraits: readonly OtherTraitResult[];
  /** All that was wrong with the replies of the judge. */
  readonly problems: readonly JudgeProblem[];
}

/** A trait that an answer is judged by, and the hash of the rubric whose judgement covers it. */
export type QuestionTrait = RubricTrait & { readonly rubric: string };

/** The traits of all rubrics of a question, in the order in which they were added. A trait that comes again under its name replaces the earlier one. */
export function questionTraits(rubrics: readonly Rubric[]): QuestionTrait[] {
  const byName = new Map<string, QuestionTrait>();
  for (const { traits, hash } of rubrics) {
    for (const entry of traits) byName.set(entry.trait.name.toLowerCase(), { ...entry, rubric: hash });
  }
  return [...byName.values()];
}

interface Sources {
  readonly judgements: Judgements;
  readonly findTraits: (questionId: string) => readonly QuestionTrait[];
  /** Hashes of the rubrics of a question, in the order in which they were added. */
  readonly rubricsOf: (questionId: string) => readonly string[];
  readonly repeats: number;
  readonly level: number;
}

/** Every row of the run with all that was said of it. */
export function judgedAnswers(file: RunFile, sources: Sources): JudgedAnswer[] {
  const questions = new Map([...file.records.read()].map(({ id, features }) => [id, features?.question]));
  return [...file.rows.read({ all: true, nRepeats: sources.repeats })].map((row) => {
    const question = questions.get(row.id!);
    return judgedAnswer(row, typeof question === 'string' ? question : null, sources);
  });
}

function judgedAnswer(row: Row, question: string | null, sources: Sources): JudgedAnswer {
  const id = row.id!;
  const { state, repeat, rawResponse: answer, metadata } = row;
  const findOutcome = (judge: string | null, rubric: string) =>
    judge === null
      ? null
      : sources.judgements.outcome({ recordId: id, repeat, judge, pass: SCORED_PASS, rubric });
  const judged = sources
    .rubricsOf(id)
    .map((rubric) => findOutcome(sources.judgements.judgeOf(rubric), rubric))
    .filter((outcome) => outcome !== null);
  const metricTraits: MetricTraitResult[] = [];
  const otherTraits: OtherTraitResult[] = [];
  for (const entry of sources.findTraits(id)) {
    const judge = sources.judgements.judgeOf(entry.rubric);
    if (entry.scoredBy === 'items') {
      const verdicts = findOutcome(judge, entry.rubric)?.verdicts ?? [];
      metricTraits.push(scoreMetricTrait(entry.trait, judge, state, verdicts, sources.level));
      continue;
    }
    const source = entry.kind.needs === 'judge' ? judge : CALLABLE_JUDGE;
    const given = findOutcome(source, entry.rubric)?.traits?.find(({ name }) => name === entry.trait.name);
    otherTraits.push(otherTraitResult(entry, row, judge, given));
  }
  return {
    id,
    repeat,
    question,
    answer,
    state,
    stateReason: row.stateReason,
    ...abstention(state, judged),
    shouldAbstain: typeof metadata.should_abstain === 'boolean' ? metadata.should_abstain : null,
    tags: Array.isArray(metadata.tags) ? metadata.tags.map(String) : [],
    metricTraits,
    otherTraits,
    problems: judged.flatMap(({ problems }) => problems ?? []),
    ...pick(row, ['inputTokens', 'outputTokens', 'totalTokens']),
  };
}

/** Whether an answer abstains does not depend on the rubric: the latest judgement that says it counts. */
function abstention(
  state: Row['state'],
  judged: readonly Partial<JudgeOutcome>[],
): Pick<JudgedAnswer, 'abstained' | 'abstainedReason'> {
  if (state !== 'answered') return { abstained: null, abstainedReason: `answer_${state}` };
  const latest = judged.findLast(({ abstained }) => typeof abstained === 'boolean');
  if (latest !== undefined) return { abstained: latest.abstained!, abstainedReason: null };
  const last = judged.at(-1);
  if (last === undefined) return { abstained: null, abstainedReason: 'not_judged' };
  // A grader decides criteria and nothing else.
  const asked = judged.findLast(({ promptHash }) => promptHash !== null);
  if (asked?.abstainedReason === 'not_asked') return { abstained: null, abstainedReason: 'not_asked' };
  const isEmpty = last.abstainedReason === 'empty_answer';
  return { abstained: null, abstainedReason: isEmpty ? 'empty_answer' : 'judge_error' };
}
