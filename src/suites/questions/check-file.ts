import { type Finding, lintRubric } from '../../rubrics/lint/lint-rubric.ts';
import { parseYaml, Rubric, readText } from '../../rubrics/rubric.ts';
import { listItems } from '../../rubrics/traits/metric-trait.ts';
import { findQuestionSuite } from './find-question-suite.ts';
import type { QuestionSuite } from './question-suite.ts';

/** A valid file, and what could be better in it. */
export interface CheckedFile {
  readonly kind: 'rubric' | 'questions';
  readonly hash: string;
  /** Traits of the rubric of all questions count once. */
  readonly counts: { readonly questions: number | null; readonly traits: number; readonly items: number };
  readonly findings: readonly Finding[];
}

/** Reads a rubric, or a suite of questions by its path or name. Throws what is wrong with it. */
export async function checkRubricFile(file: string): Promise<CheckedFile> {
  const checked = /\.(ya?ml|json)$/i.test(file) ? await checkRubric(file) : null;
  return checked ?? checkSuite(await findQuestionSuite(file));
}

/** Null where the file holds questions. */
async function checkRubric(path: string): Promise<CheckedFile | null> {
  const content = parseYaml(await readText(path, 'a rubric or a file of questions'), path);
  if (typeof content === 'object' && content !== null && 'questions' in content) return null;
  const rubric = Rubric.parse(content, path);
  return {
    kind: 'rubric',
    hash: rubric.hash,
    counts: countTraits([rubric], null),
    findings: lintRubric(rubric),
  };
}

function checkSuite(suite: QuestionSuite): CheckedFile {
  const own = suite.questions.map(({ rubric }) => rubric);
  return {
    kind: 'questions',
    hash: suite.hash,
    counts: countTraits(own.length === 0 ? [suite.rubric] : own, suite.questions.length),
    findings: lintQuestions(suite),
  };
}

function countTraits(rubrics: readonly Rubric[], questions: number | null): CheckedFile['counts'] {
  // The rubrics of questions repeat the traits of all questions: these are counted in the first only.
  const traits = rubrics.flatMap((rubric, i) =>
    rubric.traits.filter(({ trait }) => i === 0 || rubric.provenance.get(trait.name) !== 'global'),
  );
  const items = traits.flatMap((one) => (one.scoredBy === 'items' ? listItems(one.trait) : []));
  return { questions, traits: traits.length, items: items.length };
}

/** The findings of a suite of questions: the rubric of all of them once, then each question's own traits. */
export function lintQuestions(suite: QuestionSuite): Finding[] {
  const within = (place: string, findings: readonly Finding[]) =>
    findings.map((finding) => ({ ...finding, where: `${place}, ${finding.where}` }));
  const own = suite.questions.flatMap(({ id, rubric, sources }) => {
    const mine = ({ name }: { name: string }) => rubric.provenance.get(name) === 'question';
    const traits = new Rubric({
      metricTraits: rubric.metricTraits.filter(mine),
      llmTraits: rubric.llmTraits.filter(mine),
    });
    return within(id, lintRubric(traits, { sources }));
  });
  return [...within('rubric', lintRubric(suite.rubric)), ...own];
}
