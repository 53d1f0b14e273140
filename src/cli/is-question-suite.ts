import { readFile } from 'node:fs/promises';
import { QUESTION_SUITES } from '../suites/index.ts';

/** Whether a name means a suite of open questions: a bundled one, or a file that has questions in it. */
export async function isQuestionSuite(name: string): Promise<boolean> {
  if (QUESTION_SUITES.some((suite) => suite.name === name)) return true;
  if (/\.jsonl$/i.test(name)) return true;
  if (!/\.(ya?ml|json)$/i.test(name)) return false;
  const text = await readFile(name, 'utf8').catch(() => '');
  return /^\s*["']?questions["']?\s*:/m.test(text);
}
