import { existsSync } from 'node:fs';
import { KrisisError } from '../core/errors.ts';
import { didYouMean, nearNames } from '../core/near-names.ts';
import { recogniseSet, setWithoutSuite } from '../suites/draft-table-suite.ts';
import {
  findQuestionSuite,
  holdsQuestions,
  QUESTION_SUITES,
} from '../suites/questions/find-question-suite.ts';
import type { AnySuite } from '../suites/questions/question-suite.ts';
import { checkOptions, optionError, type SuiteOptions } from '../suites/suite-option.ts';
import { loadTableSuite, TABLE_OPTIONS } from '../suites/table/define-table-suite.ts';
import { DOMAINS } from './domains.ts';

/** The suites that come with Krisis. */
export const BUILT_IN_SUITES = DOMAINS.flatMap((domain) =>
  Object.entries(domain.tasks).map(([task, summary]) => ({
    name: `${domain.name}/${task}`,
    summary,
    /** Names of the options it takes. */
    options: Object.keys(domain.options),
    create: (options: SuiteOptions) => domain.create(task, options),
  })),
);

/**
 * Finds a suite by name: a built-in one, one of `own` (from a config), or a file with a table suite or with open questions; a file with questions is recognised by its content.
 *
 * @example
 * ```ts
 * (await findSuite('ckd/staging', {})).task.ordered; // => true
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
  if (builtIn) {
    refuseUnknown(name, Object.keys(options), builtIn.options);
    return builtIn.create(options);
  }
  const configured = own.find((suite) => suite.name === name);
  const set =
    configured === undefined && /\.(jsonl?|ndjson|csv|tsv)(\.gz)?$/i.test(name) ? recogniseSet(name) : null;
  if (set !== null)
    throw new KrisisError(setWithoutSuite(name, set), {
      code: 'ERR_SUITE_NOT_FOUND',
      value: { path: name },
    });
  const isOpen = configured === undefined && (await holdsQuestions(name));
  if (configured === undefined && !isOpen && !/\.ya?ml$/i.test(name)) {
    if (/\.(csv|tsv|tab|xlsx|parquet)$/i.test(name)) {
      if (!existsSync(name))
        throw new KrisisError(`${name}: no such file`, { code: 'ERR_FILE_UNREADABLE', value: name });
      throw new KrisisError(
        `${name}: a table of cases becomes a suite by a file that says what its columns are: label, what the model sees, and what is asked`,
        { code: 'ERR_SUITE_NOT_FOUND', value: name },
      );
    }
    // Suites of a domain can be run together, by its name.
    const domains = DOMAINS.map((domain) => domain.name);
    const meant = [known, domains].find((names) => nearNames(name, names).length > 0) ?? known;
    throw new KrisisError(
      `no suite "${name}"; ${didYouMean(name, meant).replace(/[^?]$/, '$&.')} A suite can also be a file: a table suite or open questions (.yaml), open questions (.json, .jsonl)`,
      { code: 'ERR_SUITE_NOT_FOUND', value: name },
    );
  }
  const isTable = configured === undefined && !isOpen;
  refuseUnknown(name, Object.keys(options), isTable ? Object.keys(TABLE_OPTIONS) : []);
  if (isTable) {
    checkOptions(name, TABLE_OPTIONS, options);
    return loadTableSuite(name, options as Parameters<typeof loadTableSuite>[1]);
  }
  return configured ?? findQuestionSuite(name);
}

function refuseUnknown(suite: string, given: readonly string[], declared: readonly string[]): void {
  const unknown = given.filter((name) => !declared.includes(name));
  if (unknown.length === 0) return;
  const near = unknown.flatMap((name) => nearNames(name, declared).slice(0, 1));
  const message =
    declared.length === 0
      ? `suite "${suite}" takes no options, but got ${unknown.join(', ')}: its definition is complete`
      : `suite "${suite}" takes no option ${unknown.join(', ')}${near.length > 0 ? ` (did you mean ${near.join(', ')}?)` : ''}; it takes ${declared.join(', ')}`;
  throw optionError(message, unknown);
}
