import { suiteBaselines } from '../analyses/baselines/suite-baselines.ts';
import { KrisisError } from '../core/index.ts';
import { BUILT_IN_SUITES } from '../domains/find-suite.ts';
import {
  baselinesObject,
  descriptionText,
  questionSuiteObject,
  questionSuiteText,
} from '../runs/describe-suite.ts';
import {
  type AnySuite,
  descriptionObject,
  isQuestionSuite,
  QUESTION_SUITES,
  suiteHash,
} from '../suites/index.ts';
import type { KrisisConfig } from './config/index.ts';
import { docsPage } from './package-files.ts';
import { printMessage, textWidth } from './print.ts';
import { isProtected } from './protected-data.ts';
import { writeOutput } from './write-output.ts';

/** The suites there are to run. */
export function listSuites({ suites = [] }: KrisisConfig) {
  return [
    ...[...BUILT_IN_SUITES, ...QUESTION_SUITES].map(({ name, summary }) => ({
      name,
      summary,
      from: 'krisis',
    })),
    ...suites.map(({ name, task }) => ({
      name,
      summary: `labels: ${task.labels.join(', ')}`,
      from: 'config',
    })),
  ];
}

/** The same as lines, and where to go on. */
export function suitesText(suites: ReturnType<typeof listSuites>): string {
  const width = Math.max(...suites.map(({ name }) => name.length));
  const lines = suites.map(({ name, summary }) => `${name.padEnd(width)}  ${summary}\n`);
  return `${lines.join('')}\nkrisis check ${suites[0]!.name} shows what a suite contains. Your own data: ${docsPage('your-own-data.md')}\n`;
}

/** Writes the records of a suite, one JSON object a line. */
export async function exportSuite(
  suite: AnySuite,
  flags: {
    readonly output: string | undefined;
    readonly force: boolean;
    readonly training: boolean;
    readonly includeProtected: boolean;
  },
): Promise<void> {
  if (isProtected(suite) && !flags.includeProtected) {
    throw new KrisisError(
      `suite "${suite.name}" is protected: its patient data is written only with --include-protected`,
      { code: 'ERR_SUITE_PROTECTED', value: suite.name },
    );
  }
  const records = flags.training ? ((await suite.training?.()) ?? []) : await suite.load();
  await writeOutput(
    records.map((record) => `${JSON.stringify(record)}\n`).join(''),
    flags.output,
    flags.force,
  );
  const hash = isQuestionSuite(suite) ? suite.hash : suiteHash(suite.task, records);
  printMessage(`${records.length} records, suite hash ${hash}\n`);
}

/** What a suite holds, to be checked line by line: for programs, and for people. */
export async function describeSuite(
  suite: AnySuite,
): Promise<{ readonly json: object; readonly text: string }> {
  if (isQuestionSuite(suite))
    return { json: questionSuiteObject(suite), text: questionSuiteText(suite, textWidth()) };
  const description = await suite.describe();
  const baselines = await suiteBaselines(suite);
  return {
    json: { ...descriptionObject(description), ...baselinesObject(baselines) },
    text: descriptionText(description, suite.task, baselines, textWidth()),
  };
}
