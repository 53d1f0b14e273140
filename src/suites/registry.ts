import { KrisisError } from '../core/index.ts';
import { CKD_TASKS, CkdSuite, type CkdSuiteOptions, type CkdTaskName } from './ckd/index.ts';
import { findQuestionSuite, holdsQuestions, QUESTION_SUITES } from './questions/find-question-suite.ts';
import type { QuestionSuite } from './questions/question-suite.ts';
import type { Suite } from './suite.ts';
import { loadTableSuite } from './table/load-table-suite.ts';

/** Options that the command line and the config give to a built-in suite. */
export type SuiteOptions = Omit<CkdSuiteOptions, 'task'>;

interface BuiltIn {
  readonly name: string;
  readonly summary: string;
  readonly create: (options: SuiteOptions) => Suite;
}

const SUMMARIES: Record<CkdTaskName, string> = {
  detection: 'is chronic kidney disease present? (present, absent)',
  staging: 'which GFR stage do the values show? (1 to 5, or with 3a and 3b)',
  progression: 'how did kidney function develop over dated visits? (stable, worsening, improving)',
};

/** The suites that come with Krisis. */
export const BUILT_IN_SUITES: readonly BuiltIn[] = CKD_TASKS.map((task) => ({
  name: `ckd/${task}`,
  summary: SUMMARIES[task],
  create: (options) => new CkdSuite({ ...options, task }),
}));

/** A suite of either kind: records with a label, or open questions. {@link isQuestionSuite} says which. */
export type AnySuite = Suite | QuestionSuite;

/**
 * Finds a suite by name: a built-in one, one of `own` (from a config), or a file with a table suite or with open questions; a file with questions is recognised by its content.
 *
 * @example
 * ```ts
 * (await findSuite('ckd/staging', {})).task.ordered // => true
 * (await findSuite('open/bcl2', {})).task.kind // => 'text'
 * ```
 */
export async function findSuite(
  name: string,
  options: SuiteOptions,
  own: readonly AnySuite[] = [],
): Promise<AnySuite> {
  const known = [...BUILT_IN_SUITES, ...QUESTION_SUITES, ...own].map((suite) => suite.name);
  if (known.filter((one) => one === name).length > 1)
    throw new KrisisError(`there are two suites "${name}"; rename the one in your config`, {
      code: 'ERR_SUITE_AMBIGUOUS',
      value: name,
    });
  const builtIn = BUILT_IN_SUITES.find((suite) => suite.name === name);
  if (builtIn) return builtIn.create(options);
  const configured = own.find((suite) => suite.name === name);
  const isOpen = configured === undefined && (await holdsQuestions(name));
  if (configured === undefined && !isOpen && !/\.ya?ml$/i.test(name))
    throw new KrisisError(
      `no suite "${name}"; there are: ${known.join(', ')}, and files: a table suite or open questions (.yaml), open questions (.json, .jsonl)`,
      { code: 'ERR_SUITE_NOT_FOUND', value: name },
    );
  const given = Object.keys(options);
  if (given.length > 0)
    throw new KrisisError(
      `suite "${name}" takes no options, but got ${given.join(', ')}: its definition is complete`,
      { code: 'ERR_SUITE_OPTION', value: given },
    );
  return configured ?? (isOpen ? findQuestionSuite(name) : loadTableSuite(name));
}
