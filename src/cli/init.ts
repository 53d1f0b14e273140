import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { KrisisError } from '../core/index.ts';
import { printText } from './print.ts';

/** The examples of the package, beside the sources and beside the build alike. */
const example = (name: string) => new URL(`../../examples/${name}`, import.meta.url);

/** `krisis init`: a config and example answers, so that the next command works. */
export function initCommand() {
  return new Command('init')
    .description('write a working krisis.config.ts and example answers')
    .argument('[folder]', 'where', '.')
    .option('--force', 'overwrite existing files')
    .action(async (folder, { force }) => {
      const config = join(folder, 'krisis.config.ts');
      const answers = join(folder, 'answers.jsonl');
      for (const file of [config, answers]) {
        if (existsSync(file) && !force) {
          throw new KrisisError(`${file}: exists already; nothing was written (--force overwrites it)`, {
            code: 'ERR_OUTPUT',
            value: file,
          });
        }
      }
      await mkdir(folder, { recursive: true });
      await copyFile(example('init/krisis.config.ts'), config);
      await copyFile(example('answers.jsonl'), answers);
      const there = folder === '.' ? '' : `cd ${folder} && `;
      printText(
        `wrote ${config}\nwrote ${answers} (120 made-up answers)\n\nnext:\n  ${there}npx krisis score answers.jsonl\n`,
      );
    });
}
