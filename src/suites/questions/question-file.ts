import { readText, type TraitFunctions } from '../../rubrics/index.ts';
import { invalidQuestions, jsonLinesSource, type QuestionSource, yamlSource } from './question-source.ts';
import { type QuestionSuite, questionSuiteFrom } from './question-suite.ts';

/** How the name of a file with questions ends. */
export const QUESTION_FILE = /\.(ya?ml|json|jsonl)$/i;

/**
 * Reads a file of questions: `.yaml`, `.yml`, `.json`, or `.jsonl` with one question a line. `functions` are the user's, for callable traits.
 *
 * @throws KrisisError that says what is wrong and on which line; unknown keys are refused.
 */
export async function readQuestionFile(path: string, functions: TraitFunctions = {}): Promise<QuestionSuite> {
  const text = await readText(path, 'a file of questions');
  return questionSuiteFrom(sourceOf(text.replace(/^\uFEFF/, ''), path), functions);
}

function sourceOf(text: string, path: string): QuestionSource {
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
