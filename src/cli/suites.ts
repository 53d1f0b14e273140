import { KrisisError } from '../core/errors.ts';
import { BUILT_IN_SUITES } from '../domains/find-suite.ts';
import { QUESTION_SUITES } from '../suites/questions/find-question-suite.ts';
import type { AnySuite } from '../suites/questions/question-suite.ts';
import type { KrisisConfig } from './config/config.ts';
import { docsPage } from './package-files.ts';
import { printMessage } from './print.ts';
import { isProtected } from './protected-data.ts';
import { suiteKind } from './suite-kinds.ts';
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
  printMessage(`${records.length} cases, suite hash ${suiteKind(suite).hash(records)}\n`);
}
