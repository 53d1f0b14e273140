import { basename } from 'node:path';
import type { ApiOptions } from '../models/api/api-options.ts';
import type { Backend } from '../models/backend.ts';
import { createJudge, gradingJudge, type Judge, LEXICAL_JUDGE } from '../models/judge.ts';
import type { ClaimSource } from '../rubrics/judge/claims.ts';
import { healthBenchGrader } from '../rubrics/judge/grader.ts';
import { readText } from '../rubrics/rubric.ts';
import type { RunSettings } from './config/run-values.ts';
import { usageError } from './errors.ts';
import { namedProviders } from './run-checks.ts';

/** The judges that a command names, separated by commas: one, or a jury. */
export async function resolveJudges(
  names: string | readonly string[],
  given: RunSettings,
  {
    own,
    api,
    apiFor = async () => api,
  }: {
    readonly own: readonly Backend[];
    readonly api: ApiOptions;
    /** The settings of one judge. Default: those of all. */
    readonly apiFor?: (name: string, api: ApiOptions) => Promise<ApiOptions>;
  },
): Promise<Judge[]> {
  const listed = (typeof names === 'string' ? names.split(',') : names)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (listed.length === 0)
    throw usageError('--judge: no model named; give one, or several separated by commas');
  const repeated = listed.find((name, i) => listed.indexOf(name) !== i);
  if (repeated !== undefined)
    throw usageError(`--judge names ${repeated} twice: passes 2 has a judge read each answer twice`);
  const providers = namedProviders(listed);
  if (api.baseUrl !== undefined && providers.length > 1)
    throw usageError(
      `the judges' address is that of one provider, and the judges are of ${providers.join(' and ')}: judge by one after the other`,
    );
  const rules =
    given.judgeInstructions === undefined
      ? undefined
      : await readText(given.judgeInstructions, 'instructions for a judge');
  if (rules !== undefined && listed.every((name) => name === LEXICAL_JUDGE.name))
    throw usageError(`judgeInstructions are for a model: ${LEXICAL_JUDGE.name} reads none`);
  if (rules !== undefined && given.grader === 'healthbench')
    throw usageError(
      'judgeInstructions are rules for verdicts; a grader has its whole prompt in graderTemplate',
    );
  const judges: Judge[] = [];
  for (const name of listed)
    judges.push(
      await withGrader(await createJudge(name, { own, api: await apiFor(name, api), rules }), given),
    );
  return judges;
}

/** Judges in a few words, for messages. */
export function judgeNames(judges: readonly Judge[]): string {
  return judges.map(({ name }) => name).join(', ');
}

/** The source that claims are checked against, from its file. */
export async function claimSource(path: string | undefined): Promise<ClaimSource | undefined> {
  if (path === undefined) return undefined;
  return { name: basename(path), text: await readText(path, 'a source to check claims against (text)') };
}

/** The judge with the protocol that was asked for; `graderTemplate` names the file of its prompt. */
async function withGrader(judge: Judge, { grader, graderTemplate }: RunSettings): Promise<Judge> {
  if (grader !== 'healthbench') {
    if (graderTemplate !== undefined) throw usageError('graderTemplate belongs to grader healthbench');
    return judge;
  }
  const template =
    graderTemplate === undefined ? undefined : await readText(graderTemplate, 'the template of a grader');
  return gradingJudge(judge, healthBenchGrader(template, graderTemplate));
}
