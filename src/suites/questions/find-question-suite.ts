import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { KrisisError, nearNames, quoted } from '../../core/index.ts';
import type { TraitFunctions } from '../../rubrics/index.ts';
import { QUESTION_FILE, readQuestionFile } from './question-file.ts';
import type { QuestionSuite } from './question-suite.ts';

/** The suites of open questions that come with Krisis. */
export const QUESTION_SUITES = [
  {
    name: 'open/clinical',
    summary: 'open questions: kidney counselling, drug safety, results; two to be declined',
    path: bundled('clinical.yaml'),
  },
  {
    name: 'open/bcl2',
    summary: 'one open question about a gene, to learn metric traits by',
    path: bundled('bcl2.yaml'),
  },
] as const;

/** Whether a name means a suite of open questions: a bundled one, or a file with questions in it. */
export async function holdsQuestions(name: string): Promise<boolean> {
  if (QUESTION_SUITES.some((suite) => suite.name === name) || /\.jsonl?$/i.test(name)) return true;
  if (!QUESTION_FILE.test(name)) return false;
  // A file that cannot be read is reported by the suite that opens it.
  const text = await readFile(name, 'utf8').catch(() => '');
  return /^\s*["']?questions["']?\s*:/m.test(text);
}

/**
 * Finds a suite of open questions: a bundled one by its name, or a file by its path.
 *
 * @example
 * ```ts
 * const suite = await findQuestionSuite('open/clinical');
 * suite.questions.filter(({ shouldAbstain }) => shouldAbstain).length // => 2
 * ```
 */
export async function findQuestionSuite(
  name: string,
  functions: TraitFunctions = {},
): Promise<QuestionSuite> {
  const path = QUESTION_SUITES.find((suite) => suite.name === name)?.path ?? name;
  if (QUESTION_FILE.test(path)) return readQuestionFile(path, functions);
  const names = QUESTION_SUITES.map((suite) => suite.name);
  const [near] = nearNames(name, names);
  const hint = near === undefined ? `there are: ${names.join(', ')}` : `did you mean ${near}?`;
  throw new KrisisError(
    `no suite of questions ${quoted(name)}; ${hint} A file of your own ends in .yaml, .json or .jsonl`,
    { code: 'ERR_SUITE_NOT_FOUND', value: name },
  );
}

/** Where a bundled file is: beside this module, in the repository as in the package. */
function bundled(file: string): string {
  return fileURLToPath(new URL(`bundled/${file}`, import.meta.url));
}
