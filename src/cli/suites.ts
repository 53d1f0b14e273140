import { Command } from '@commander-js/extra-typings';
import { BUILT_IN_SUITES } from '../domains/find-suite.ts';
import { QUESTION_SUITES } from '../suites/index.ts';
import { loadConfig } from './config/load-config.ts';
import { docsPage } from './docs-page.ts';
import { withConfigOptions } from './options/config-options.ts';
import { print } from './print.ts';

/** `krisis suites`: what there is to run. */
export function suitesCommand() {
  return withConfigOptions(new Command('suites'))
    .description('list the suites')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', '\nExamples:\n  krisis suites\n  krisis suites --json\n')
    .action(async ({ json, ...flags }) => {
      const own = (await loadConfig(flags)).suites ?? [];
      const suites = [
        ...[...BUILT_IN_SUITES, ...QUESTION_SUITES].map(({ name, summary }) => ({
          name,
          summary,
          from: 'krisis',
        })),
        ...own.map(({ name, task }) => ({
          name,
          summary: `labels: ${task.labels.join(', ')}`,
          from: 'config',
        })),
      ];
      const width = Math.max(...suites.map(({ name }) => name.length));
      const lines = suites.map(({ name, summary }) => `${name.padEnd(width)}  ${summary}\n`);
      const next = `krisis describe ${suites[0]!.name} shows what a suite contains. Your own data: ${docsPage('your-own-data.md')}`;
      print(json, { suites }, `${lines.join('')}\n${next}\n`);
    });
}
