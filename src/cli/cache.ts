import { Command } from '@commander-js/extra-typings';
import { CACHE_FILE, clearCache } from '../store/index.ts';
import { printText } from './print.ts';

/** `krisis cache clear`: forgets the replies that were kept. */
export function cacheCommand() {
  const clear = new Command('clear')
    .description('delete all cached replies; run files are kept')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', '\nExamples:\n  krisis cache clear\n')
    .action((flags) => {
      const n = clearCache();
      const text =
        n === null
          ? `there is no cache here (${CACHE_FILE})\n`
          : `${n === 1 ? '1 reply' : `${n} replies`} deleted (${CACHE_FILE})\n`;
      printText(flags.json ? `${JSON.stringify({ file: CACHE_FILE, n_removed: n ?? 0 })}\n` : text);
    });
  return new Command('cache').description('manage the cache of replies').addCommand(clear);
}
