import { basename } from 'node:path';
import {
  type ApiOptions,
  type Backend,
  createJudge,
  gradingJudge,
  isApiModel,
  type Judge,
  LEXICAL_JUDGE,
} from '../models/index.ts';
import { type ClaimSource, healthBenchGrader, readText } from '../rubrics/index.ts';
import type { KrisisConfig } from './config/config.ts';
import type { KeyValues } from './config/run-values.ts';
import type { JudgeValues, ModelValues } from './options/run-options.ts';
import { usageError } from './usage-error.ts';

type Given = JudgeValues & Pick<ModelValues, 'grader' | 'graderTemplate'>;

/** The judges that a command names, separated by commas: one, or a jury. */
export async function judgesOf(
  names: string | readonly string[],
  given: Given,
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
  if (listed.length === 0) throw usageError('--judge: which model? Give one, or several separated by commas');
  const repeated = listed.find((name, i) => listed.indexOf(name) !== i);
  if (repeated !== undefined)
    throw usageError(`--judge names ${repeated} twice: --passes 2 has a judge read each answer twice`);
  // A provider's key must not go to another provider's address.
  const providers = new Set(listed.filter(isApiModel).map((name) => name.slice(0, name.indexOf('/'))));
  if (api.baseUrl !== undefined && providers.size > 1)
    throw usageError(
      `the judges' address is that of one provider, and the judges are of ${[...providers].join(' and ')}: judge by one after the other`,
    );
  const rules =
    given.judgeInstructions === undefined
      ? undefined
      : await readText(given.judgeInstructions, 'instructions for a judge');
  if (rules !== undefined && listed.every((name) => name === LEXICAL_JUDGE.name))
    throw usageError(`--judge-instructions are for a model: ${LEXICAL_JUDGE.name} reads none`);
  if (rules !== undefined && given.grader === 'healthbench')
    throw usageError(
      '--judge-instructions are rules for verdicts; a grader has its whole prompt in --grader-template',
    );
  const judges: Judge[] = [];
  for (const name of listed)
    judges.push(
      await withGrader(await createJudge(name, { own, api: await apiFor(name, api), rules }), given),
    );
  return judges;
}

/** The settings of the judge among the options of a command: those of the model are never the judge's, so that no key is sent to the other's address. */
export function judgeApiOptions(
  given: JudgeValues &
    Pick<ModelValues, 'maxRetries' | 'maxConcurrency'> &
    NonNullable<KrisisConfig['run']> &
    KeyValues,
): ApiOptions {
  const { maxConcurrency } = given;
  const options = {
    baseUrl: given.judgeBaseUrl,
    sendKey: given.judgeSendKey,
    temperature: given.judgeTemperature,
    reasoningEffort: given.judgeReasoningEffort,
    maxOutputTokens: given.judgeMaxOutputTokens,
    timeoutSeconds: given.judgeTimeout,
    structuredOutput: given.judgeStructuredOutput,
    price: given.judgePrice,
    maxRetries: given.maxRetries,
    retryBaseSeconds: given.retryBaseSeconds,
    retryMaxSeconds: given.retryMaxSeconds,
    connections: typeof maxConcurrency === 'number' ? maxConcurrency : undefined,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
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

/** The judge with the protocol that was asked for; `--grader-template` names the file of its prompt. */
async function withGrader(
  judge: Judge,
  { grader, graderTemplate }: Pick<ModelValues, 'grader' | 'graderTemplate'>,
): Promise<Judge> {
  if (grader !== 'healthbench') {
    if (graderTemplate !== undefined) throw usageError('--grader-template belongs to --grader healthbench');
    return judge;
  }
  const template =
    graderTemplate === undefined ? undefined : await readText(graderTemplate, 'the template of a grader');
  return gradingJudge(judge, healthBenchGrader(template, graderTemplate));
}
