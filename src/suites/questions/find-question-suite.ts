import { fileURLToPath } from 'node:url';
import { KrisisError } from '../../core/errors.ts';
import { nearNames } from '../../core/near-names.ts';
import { quoted } from '../../core/plain-text.ts';
import { readRegularFile } from '../../core/regular-file.ts';
import { readText } from '../../rubrics/rubric.ts';
import type { TraitFunctions } from '../../rubrics/traits/trait.ts';
import { isHealthBenchProfessional, parseHealthBench } from './healthbench.ts';
import { isKareninaCheckpoint, readKareninaCheckpoint } from './karenina.ts';
import {
  codeSource,
  invalidQuestions,
  jsonLinesSource,
  type QuestionSource,
  yamlSource,
} from './question-source.ts';
import { type QuestionSuite, questionSuiteFrom } from './question-suite.ts';

/** The suites of open questions that come with Krisis. */
export const QUESTION_SUITES = [
  {
    name: 'open/clinical',
    summary: 'open questions: counselling, drug safety, results, emergencies; four to decline',
    path: bundled('clinical.yaml'),
  },
  {
    name: 'open/bcl2',
    summary: 'one open question about a gene, to learn metric traits by',
    path: bundled('bcl2.yaml'),
  },
] as const;

/** How the name of a file with questions ends. */
const QUESTION_FILE = /\.(ya?ml|json|jsonl|jsonld)$/i;

/** Whether a name means a suite of open questions: a bundled one, or a file with questions in it. */
export async function holdsQuestions(name: string): Promise<boolean> {
  if (QUESTION_SUITES.some((suite) => suite.name === name) || /\.jsonl?d?$/i.test(name)) return true;
  if (!QUESTION_FILE.test(name)) return false;
  // A file that cannot be read is reported by the suite that opens it.
  const text = String(await readRegularFile(name).catch(() => ''));
  // YAML may be written as JSON, in one line.
  const key = /^\s*\{/.test(text) ? /[{,]\s*["']?questions["']?\s*:/ : /^\s*["']?questions["']?\s*:/m;
  return key.test(text);
}

/**
 * Finds a suite of open questions: a bundled one by its name, or a file by its path.
 *
 * @example
 * ```ts
 * const suite = await findQuestionSuite('open/clinical');
 * suite.questions.filter(({ shouldAbstain }) => shouldAbstain).length // => 4
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
  const hint = near === undefined ? `available: ${names.join(', ')}` : `did you mean ${near}?`;
  throw new KrisisError(
    `no suite of questions ${quoted(name)}; ${hint} A file of your own ends in .yaml, .json or .jsonl`,
    { code: 'ERR_SUITE_NOT_FOUND', value: name },
  );
}

/**
 * Reads a file of questions: `.yaml`, `.yml`, `.json`, or `.jsonl` with one question a line. `functions` are the user's, for callable traits.
 *
 * @throws KrisisError that says what is wrong and on which line; unknown keys are refused.
 */
export async function readQuestionFile(path: string, functions: TraitFunctions = {}): Promise<QuestionSuite> {
  const text = await readText(path, 'a file of questions');
  return questionSuiteFrom(readSource(text.replace(/^\uFEFF/, ''), path), functions);
}

function readSource(text: string, path: string): QuestionSource {
  if (isKareninaCheckpoint(text)) return readKareninaCheckpoint(text, path).source;
  if (isHealthBenchProfessional(text)) {
    const { file } = parseHealthBench(text, { place: path, name: 'healthbench/professional' });
    return codeSource(file, path);
  }
  if (/\.jsonl$/i.test(path)) return jsonLinesSource(text, path);
  if (/\.json$/i.test(path)) refuseOtherThanJson(text, path);
  return yamlSource(text, path);
}

/** JSON is read as YAML, for the lines; what is only YAML should not pass for it. */
function refuseOtherThanJson(text: string, path: string): void {
  try {
    JSON.parse(text);
  } catch (cause) {
    throw invalidQuestions(`${path}: not JSON: ${(cause as Error).message}`, { cause });
  }
}

/** Where a bundled file is: beside this module, in the repository as in the package. */
function bundled(file: string): string {
  return fileURLToPath(new URL(`bundled/${file}`, import.meta.url));
}
