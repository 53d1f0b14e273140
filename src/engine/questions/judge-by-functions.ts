import { CALLABLE_JUDGE } from '../../results/index.ts';
import { callableOutcome } from '../../rubrics/index.ts';
import type { RunFile } from '../../store/index.ts';
import type { Answered } from './judge-answer.ts';

/** Asks the functions of callable traits about one answer, once. What they say is kept; the functions themselves never are. */
export function judgeByFunctions({ question, repeat, answer }: Answered, file: RunFile): void {
  const { rubric } = question;
  const traits = rubric.callableTraits.filter(({ evaluate }) => evaluate !== null);
  if (traits.length === 0) return;
  const place = { recordId: question.id, repeat, judge: CALLABLE_JUDGE, pass: 0, rubric: rubric.hash };
  if (file.hasJudgement(place)) return;
  file.addJudgement({
    ...place,
    outcome: {
      verdicts: [],
      traits: traits.map((trait) => {
        const outcome = callableOutcome(trait, answer, question.question);
        return outcome.kind === 'unscored'
          ? { name: trait.name, value: null, reason: outcome.reason }
          : { name: trait.name, value: outcome.value, reason: null };
      }),
      abstained: null,
      abstainedReason: 'not_asked',
      nRepairs: 0,
      problems: [],
      promptHash: null,
      replies: [],
    },
  });
}
