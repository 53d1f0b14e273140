import { Command } from '@commander-js/extra-typings';
import { type DataFileReport, DOMAINS } from '../suites/domains/index.ts';
import { loadTableSuite } from '../suites/index.ts';
import { print } from './print.ts';

const DATA_FILES = DOMAINS.flatMap(({ dataFile }) => dataFile ?? []);

/** `krisis validate FILE`: everything that is wrong with a data file, at once. */
export function validateCommand() {
  const titles = DATA_FILES.map(({ title }) => title).join(', ');
  return new Command('validate')
    .description(`check ${titles}, or a table suite (.yaml), and print all problems at once`)
    .argument('<file>', 'the file')
    .option('--json', 'one JSON object on standard output')
    .addHelpText(
      'after',
      '\nExamples:\n  krisis validate my-table.yaml\n  krisis validate answers.jsonl --json\n',
    )
    .action(async (file, { json }) => {
      const found = await (/\.ya?ml$/i.test(file) ? checkTable(file) : checkData(file));
      if (found.problems.length > 0) process.exitCode = 2;
      print(json, found.json, `${file}: ${reportText(found)}`);
    });
}

/** A table suite with a problem fails to load, and its error lists all of them. */
async function checkTable(path: string): Promise<DataFileReport> {
  const { nRecords, nTraining } = await (await loadTableSuite(path)).describe();
  const rows = nRecords + nTraining;
  return { problems: [], json: { ok: true, rows, problems: [] }, text: [`${rows} records`] };
}

/** The file is of the kind that it has the fewest problems as. */
async function checkData(path: string): Promise<DataFileReport> {
  const found: DataFileReport[] = [];
  for (const { check } of DATA_FILES) found.push(await check(path));
  return found.sort((a, b) => a.problems.length - b.problems.length)[0]!;
}

function reportText({ problems, text }: DataFileReport): string {
  const { length: n } = problems;
  const found =
    n === 0
      ? ['no problems']
      : [`${n} problem${n === 1 ? '' : 's'}:`, ...problems.map((line) => `  ${line}`)];
  return `${[...text, ...found].join('\n')}\n`;
}
