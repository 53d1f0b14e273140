import { Command } from '@commander-js/extra-typings';
import { counted, plain } from '../../core/index.ts';
import { DOMAINS } from '../../domains/domains.ts';
import { withConfigOptions } from '../options/config-options.ts';
import { print } from '../print.ts';
import { checkFile } from './check-file.ts';
import type { CheckedFile } from './checked-file.ts';

const MAX_LISTED = 20;

const DATA_TITLES = new Set(DOMAINS.flatMap(({ dataFile }) => dataFile?.title ?? []));

const NOTES = `
The name and content of the file show what it is: answers of a model (CSV, TSV,
JSON, JSONL, Parquet), a table suite or open questions (YAML), a rubric, a config,
a run file, or a data file that a suite reads (${[...DATA_TITLES].join(', ')}).
Join data files that belong together by commas, as for --data.

Exit codes: 0 no problems, 2 problems, or a file that cannot be read.

Examples:
  krisis validate answers.jsonl
  krisis validate suite.yaml
  krisis validate krisis.config.ts --json
`;

/** `krisis validate FILE`: what a file is, and everything that is wrong with it, at once. */
export function validateCommand() {
  return withConfigOptions(new Command('validate'))
    .description('check a file (answers, suite, questions, config, data, run) and print all its problems')
    .argument('<file>', 'file to check')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', NOTES)
    .action(async (file, { json, ...flags }) => {
      const found = await checkFile(file, flags);
      const { kind, problems, nProblems: n = problems.length } = found;
      if (n > 0) process.exitCode = 2;
      print(
        json,
        { ok: n === 0, kind, n_problems: n, problems, ...found.json },
        `${plain(file)}: ${reportText(found, n)}`,
      );
    });
}

function reportText({ problems, text }: CheckedFile, n: number): string {
  const listed = problems.slice(0, MAX_LISTED);
  const found =
    n === 0
      ? ['no problems']
      : [
          `${counted(n, 'problem')}:`,
          ...listed.map((line) => `  ${line}`),
          ...(n > listed.length ? [`  and ${n - listed.length} more`] : []),
        ];
  return `${[...text, ...found].map(plain).join('\n')}\n`;
}
