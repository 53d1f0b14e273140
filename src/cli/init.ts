import { existsSync, writeFileSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Command } from '@commander-js/extra-typings';
import { KrisisError } from '../core/errors.ts';
import { didYouMean } from '../core/near-names.ts';
import { plain } from '../core/plain-text.ts';
import { type DraftOptions, draftTableSuite } from '../suites/draft-table-suite.ts';
import { isProgram, rememberProgram } from './config/confirm-program.ts';
import { CONFIG_NAMES } from './config/load-config.ts';
import { usageError } from './errors.ts';
import { packageFile } from './package-files.ts';
import { printText } from './print.ts';

/** What `krisis init` can write. `files` are copies of files under `examples/`; `next` are the commands to try, without `npx`. */
export const TEMPLATES = [
  {
    name: 'score',
    title: 'score answers you already have',
    files: { 'krisis.config.ts': 'init/score/krisis.config.ts', 'answers.jsonl': 'answers.jsonl' },
    next: ['krisis score answers.jsonl'],
  },
  {
    name: 'table',
    title: 'run models on your own table (CSV)',
    files: {
      'krisis.config.yaml': 'init/table/krisis.config.yaml',
      'suite.yaml': 'init/table/suite.yaml',
      'cases.csv': 'table-suite/sodium.csv',
    },
    next: ['krisis run suite.yaml'],
  },
  {
    name: 'compare',
    title: 'compare two models or providers',
    files: { 'krisis.config.yaml': 'init/compare/krisis.config.yaml' },
    next: ['krisis run ckd/staging', 'krisis compare --last'],
  },
  {
    name: 'questions',
    title: 'ask open questions and judge the answers',
    files: {
      'krisis.config.yaml': 'init/questions/krisis.config.yaml',
      'questions.yaml': 'init/questions/questions.yaml',
    },
    next: ['krisis run questions.yaml'],
  },
] as const;

type Template = (typeof TEMPLATES)[number];

const NOTES = `
Templates:
${templateLines()}
Each works at once, without a key; comments in its files say what to change.
Files that exist are never overwritten. In a terminal, krisis init asks.

Examples:
  krisis init score
  krisis init compare my-study     write into the folder my-study
  krisis init table cases.csv --label diagnosis   a suite for your own table
  krisis init table mediq_dev.jsonl.gz   a suite for a published question set
`;

/** `krisis init [TEMPLATE] [FOLDER]`: a config and data, so that the next command works. */
export function initCommand() {
  return new Command()
    .argument('[template]', TEMPLATES.map(({ name }) => name).join(', '))
    .argument('[folder]', 'where to write (default: this folder), or a table of cases')
    .option('--label <column>', 'of a table: the column with the right answers')
    .option('--sheet <name>', 'of a spreadsheet: the sheet (default: the first)')
    .addHelpText('after', NOTES)
    .action(async (name, folder = '.', { label, sheet }) => {
      if (name === 'table' && TABLE.test(folder)) return writeTableSuite(folder, { label, sheet });
      if (label !== undefined || sheet !== undefined)
        throw usageError('--label and --sheet go with a table: krisis init table cases.csv --label COLUMN');
      const template = name === undefined ? await ask() : templateNamed(name);
      refuseExisting(folder, template);
      await mkdir(folder, { recursive: true });
      for (const [file, source] of Object.entries(template.files)) {
        await copyFile(packageFile(`examples/${source}`), join(folder, file));
        // Krisis wrote it: nothing in it needs to be confirmed.
        if (CONFIG_NAMES.includes(file) && isProgram(file)) rememberProgram(join(folder, file));
        process.stdout.write(`wrote ${join(folder, file)}\n`);
      }
      const there = folder === '.' ? [] : [`cd ${folder}`];
      const commands = [...there, ...template.next.map((command) => `npx ${command}`)];
      process.stdout.write(`\nnext:\n${commands.map((command) => `  ${command}\n`).join('')}`);
    });
}

const TABLE = /\.(csv|tsv|tab|xlsx|jsonl|ndjson|json|parquet|pq)(\.gz)?$/i;

/** Writes a suite beside a table, and says what the model will see. */
async function writeTableSuite(path: string, options: DraftOptions): Promise<void> {
  const { yaml, shown, hidden } = await draftTableSuite(path, options);
  const target = join(dirname(path), 'suite.yaml');
  if (existsSync(target))
    throw new KrisisError(`${target}: already exists; nothing was written`, {
      code: 'ERR_OUTPUT',
      value: target,
    });
  writeFileSync(target, yaml, { flag: 'wx' });
  const list = (names: readonly string[]) => names.map(plain).join(', ');
  printText(
    `wrote ${target}\nThe model sees: ${list(shown)}\nIt never sees: ${list(hidden)}\n\nnext:\n  npx krisis check ${target}\n  npx krisis run ${target} -m simulated/careful\n`,
  );
}

/** Asks a person; a program has to name the template. */
function ask(): Promise<Template> {
  if (process.stdin.isTTY && process.stdout.isTTY) return chooseTemplate(process.stdin, process.stdout);
  throw usageError(
    `which template? Name one, e.g. krisis init ${TEMPLATES[0]!.name}:\n${templateLines().trimEnd()}`,
  );
}

function templateNamed(name: string): Template {
  const template = TEMPLATES.find((one) => one.name === name);
  if (template !== undefined) return template;
  const names = TEMPLATES.map((one) => one.name);
  throw usageError(
    `no template "${name}"; ${didYouMean(name, names)}\nTo write into a folder, name it after the template: krisis init ${names[0]} FOLDER`,
    name,
  );
}

/** A second config would be ignored, or hide the first. */
function refuseExisting(folder: string, { files }: Template): void {
  const names = Object.keys(files);
  const configs = names.some((name) => CONFIG_NAMES.includes(name)) ? CONFIG_NAMES : [];
  const existing = [...new Set([...names, ...configs])].filter((name) => existsSync(join(folder, name)));
  if (existing.length === 0) return;
  throw new KrisisError(
    `${existing.map((name) => join(folder, name)).join(', ')}: already exists; nothing was written. Choose an empty folder: krisis init TEMPLATE FOLDER`,
    { code: 'ERR_OUTPUT', value: join(folder, existing[0]!) },
  );
}

/** Asks which template to write; a number or a name answers, and Enter takes the first. */
export async function chooseTemplate(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<Template> {
  const lines = createInterface({ input, output });
  const closed = new Promise<never>((_, reject) => {
    lines.once('close', () => reject(usageError('nothing was chosen, and nothing was written')));
  });
  // A question that was answered ends with a close that nothing waits for.
  closed.catch(() => {});
  try {
    output.write(`What would you like to do?\n${templateLines()}`);
    for (;;) {
      const typed = (await Promise.race([lines.question('Number or name [1]: '), closed])).trim();
      const chosen = TEMPLATES.find(
        ({ name }, i) => name === typed.toLowerCase() || String(i + 1) === (typed || '1'),
      );
      if (chosen !== undefined) return chosen;
      output.write(`Please type a number from 1 to ${TEMPLATES.length}, or a name.\n`);
    }
  } finally {
    lines.close();
  }
}

/** The templates as a list for a person to choose from. */
export function templateLines(): string {
  const width = Math.max(...TEMPLATES.map(({ name }) => name.length));
  return TEMPLATES.map(({ name, title }, i) => `  ${i + 1}  ${name.padEnd(width)}  ${title}\n`).join('');
}
