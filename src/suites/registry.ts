import { KrisisError } from '../core/index.ts';
import { CKD_TASKS, CkdSuite, type CkdSuiteOptions, type CkdTaskName } from './ckd/index.ts';
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

/**
 * Finds a suite by name: a built-in one, one of `own` (from a config), or a table suite in a YAML file.
 *
 * @example
 * ```ts
 * (await findSuite('ckd/staging', {})).task.ordered // => true
 * ```
 */
export async function findSuite(
  name: string,
  options: SuiteOptions,
  own: readonly Suite[] = [],
): Promise<Suite> {
  const builtIn = BUILT_IN_SUITES.find((suite) => suite.name === name);
  if ([...BUILT_IN_SUITES, ...own].filter((suite) => suite.name === name).length > 1)
    throw new KrisisError(`there are two suites "${name}"; rename the one in your config`, { value: name });
  if (builtIn) return builtIn.create(options);
  const mine = own.find((suite) => suite.name === name);
  if (mine === undefined && !/\.ya?ml$/i.test(name)) {
    const known = [...BUILT_IN_SUITES, ...own].map((suite) => suite.name).join(', ');
    throw new KrisisError(
      `no suite "${name}"; there are: ${known}, suites of your config, and table suites (a .yaml file); krisis suites lists those of open questions too`,
      { value: name },
    );
  }
  const given = Object.keys(options);
  if (given.length > 0)
    throw new KrisisError(`suite "${name}" takes no option ${given.join(', ')}: its definition says all`, {
      value: given,
    });
  return mine ?? loadTableSuite(name);
}
