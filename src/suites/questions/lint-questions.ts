import { type Finding, lintRubric, Rubric } from '../../rubrics/index.ts';
import type { QuestionSuite } from './question-suite.ts';

/** The findings of a suite of questions: the rubric of all of them once, then each question's own traits. */
export function lintQuestions(suite: QuestionSuite): Finding[] {
  const shared = lintRubric(suite.rubric).map((finding) => ({
    ...finding,
    where: `rubric, ${finding.where}`,
  }));
  const own = suite.questions.flatMap(({ id, rubric, sources }) => {
    const mine = ({ name }: { name: string }) => rubric.provenance.get(name) === 'question';
    const traits = new Rubric({
      metricTraits: rubric.metricTraits.filter(mine),
      llmTraits: rubric.llmTraits.filter(mine),
    });
    return lintRubric(traits, { sources }).map((finding) => ({
      ...finding,
      where: `${id}, ${finding.where}`,
    }));
  });
  return [...shared, ...own];
}
