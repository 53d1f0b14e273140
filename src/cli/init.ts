import { existsSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { KrisisError } from '../core/index.ts';

const CONFIG = `import { defineConfig, defineMetric } from 'krisis';

// Settings of this project. Flags on the command line win over them.
export default defineConfig({
  score: {
    task: 'detection',
    positiveLabel: 'present',
    seed: 42,
  },
  // A metric of your own: a name and a formula. Proportions get Wilson's interval, estimates are resampled.
  metrics: [
    defineMetric({
      name: 'hesitant_answers',
      label: 'Answers below 0.6 confidence',
      reads: 'hesitant, of its answers',
      proportion: (rows) => {
        const answers = [...rows].filter((row) => row.state === 'answered');
        return { successes: answers.filter((row) => (row.confidence ?? 1) < 0.6).length, n: answers.length };
      },
    }),
  ],
});
`;

/** `krisis init`: a config and example answers, so that the next command works. */
export function initCommand() {
  return new Command('init')
    .description('write a runnable krisis.config.ts and example answers')
    .argument('[folder]', 'where', '.')
    .option('--force', 'write over existing files')
    .action(async (folder, { force }) => {
      const config = join(folder, 'krisis.config.ts');
      const answers = join(folder, 'answers.jsonl');
      for (const file of [config, answers]) {
        if (existsSync(file) && !force) {
          throw new KrisisError(`${file}: exists already; nothing was written (--force writes over it)`, {
            value: file,
          });
        }
      }
      await mkdir(folder, { recursive: true });
      await writeFile(config, CONFIG);
      await copyFile(new URL('../../examples/answers.jsonl', import.meta.url), answers);
      const there = folder === '.' ? '' : `cd ${folder} && `;
      process.stdout.write(
        `wrote ${config}\nwrote ${answers} (120 made-up answers)\n\nnext:\n  ${there}npx krisis score answers.jsonl\n`,
      );
    });
}
