import { Command } from '@commander-js/extra-typings';
import { counted } from '../core/wording.ts';
import { existingWaits, WAITS_FILE } from '../store/provider-waits.ts';
import { CACHE_FILE, clearCache } from '../store/response-cache.ts';
import { print } from './print.ts';

/** `krisis ops cache clear`: forgets the replies that were kept. */
export function cacheCommand() {
  const clear = new Command('clear')
    .description('delete all cached replies; run files are kept')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', '\nExamples:\n  krisis ops cache clear\n')
    .action((flags) => {
      const n = clearCache();
      const text =
        n === null
          ? `there is no cache here (${CACHE_FILE})\n`
          : `${n === 1 ? '1 reply' : `${n} replies`} deleted (${CACHE_FILE})\n`;
      print(flags.json, 'cache', { file: CACHE_FILE, n_removed: n ?? 0 }, text);
    });
  return new Command().addCommand(clear);
}

/** `krisis ops waits`: how long providers want no calls from this folder, and forgetting that. */
export function waitsCommand() {
  const clear = new Command('clear')
    .argument('[host]', 'only this host, as krisis ops waits names it (default: all)')
    .description(
      'forget waits that providers asked for; a run that was asked to wait also needs --set ignoreWaits=true',
    )
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', '\nExamples:\n  krisis ops waits clear\n  krisis ops waits clear api.openai.com\n')
    .action((host, flags) => {
      const n = use((waits) => waits.clear(host));
      print(flags.json, 'cache', { file: WAITS_FILE, n_removed: n }, `${counted(n, 'wait')} forgotten\n`);
    });
  return new Command()
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', '\nExamples:\n  krisis ops waits\n  krisis ops waits clear\n')
    .action((flags) => {
      const waits = use((found) => found.list());
      const lines = waits.map(({ host, until }) => `${host}  until ${until.toISOString()}\n`);
      print(
        flags.json,
        'cache',
        { waits: waits.map(({ host, until }) => ({ host, until: until.toISOString() })) },
        lines.join('') || 'no provider asked to wait\n',
      );
    })
    .addCommand(clear);
}

function use<T>(work: (waits: ReturnType<typeof existingWaits>) => T): T {
  const waits = existingWaits();
  try {
    return work(waits);
  } finally {
    waits.close();
  }
}
