import pc from 'picocolors';
import type { QuestionSuite } from '../suites/index.ts';
import { plain } from './plain-text.ts';

/** A suite of open questions in its file form: counts, and each question with what it is judged by. */
export function questionSuiteObject(suite: QuestionSuite) {
  const traits = suite.questions.flatMap(({ rubric }) => rubric.metricTraits);
  const count = (wanted: boolean | null) =>
    suite.questions.filter(({ shouldAbstain }) => shouldAbstain === wanted).length;
  return {
    name: suite.name,
    kind: 'questions',
    sensitivity: suite.sensitivity,
    suite_hash: suite.hash,
    n_questions: suite.questions.length,
    deferral: { must_defer: count(true), must_answer: count(false), unlabelled: count(null) },
    n_items: traits.reduce(
      (sum, { tpInstructions, tnInstructions }) => sum + tpInstructions.length + tnInstructions.length,
      0,
    ),
    questions: suite.questions.map(({ id, question, rubric, tags, shouldAbstain, sources }) => ({
      id,
      question,
      traits: rubric.traitNames(),
      tags,
      should_abstain: shouldAbstain,
      sources,
    })),
  };
}

export function questionSuiteText(suite: QuestionSuite): string {
  const { n_questions: n, n_items: nItems, deferral, questions } = questionSuiteObject(suite);
  return [
    pc.bold(`${plain(suite.name)}: ${n} open questions, ${nItems} items`),
    `${deferral.must_defer} should be declined, ${deferral.must_answer} answered, ${deferral.unlabelled} not labelled; ${suite.sensitivity}`,
    `suite hash ${suite.hash}`,
    '',
    ...questions.flatMap(({ id, question, traits, should_abstain: declined, sources }) => [
      `${pc.bold(plain(id))}${declined ? '  (should be declined)' : ''}`,
      `  ${plain(question)}`,
      `  judged by ${plain(traits.join(', '))}`,
      ...sources.map((source) => `  source: ${plain(source)}`),
    ]),
    '',
  ].join('\n');
}
