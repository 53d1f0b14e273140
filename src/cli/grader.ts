import { gradingJudge, type Judge } from '../models/index.ts';
import { healthBenchGrader, readText } from '../rubrics/index.ts';
import type { ModelValues } from './options/run-options.ts';
import { usageError } from './usage-error.ts';

/** The judge with the protocol that was asked for; `--grader-template` names the file of its prompt. */
export async function withGrader(
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
