import { counted } from '../../core/index.ts';
import { checkRubricFile } from '../../suites/index.ts';
import { type CheckedFile, problemsIn } from './checked-file.ts';

/** Checks a file of open questions, or a rubric. */
export async function checkQuestions(path: string): Promise<CheckedFile> {
  try {
    const { kind, counts, findings, hash } = await checkRubricFile(path);
    const { questions, traits, items } = counts;
    const what = questions === null ? 'A rubric' : `Open questions: ${counted(questions, 'question')}`;
    const hints =
      findings.length === 0
        ? ''
        : ` ${findings.length} ${findings.length === 1 ? 'thing' : 'things'} could be better: krisis rubric check ${path} lists them.`;
    return {
      kind,
      problems: [],
      text: [
        `${what}${questions === null ? ':' : ','} ${counted(traits, 'trait')}, ${counted(items, 'item')}.${hints}`,
      ],
      json: { hash, n_questions: questions, n_traits: traits, n_items: items, n_findings: findings.length },
    };
  } catch (error) {
    const { problems, n } = problemsIn(error);
    return { kind: 'questions', problems, nProblems: n, text: ['Open questions, or a rubric.'], json: {} };
  }
}
