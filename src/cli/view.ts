import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from '@commander-js/extra-typings';
import { KrisisError, plain } from '../core/index.ts';
import { findRun, RUNS_FOLDER } from '../store/index.ts';
import { isReviewPath } from '../store/review/index.ts';
import {
  type AppFiles,
  type ExportProgress,
  exportSite,
  hostInUrl,
  isLoopback,
  listen,
  notesEditor,
  readAppFiles,
  runLine,
  servedRuns,
  type ViewedPlace,
  viewedRuns,
} from '../viewer/index.ts';
import { faultText } from './fault-text.ts';
import { openBrowser } from './open-browser.ts';
import { wholeNumber } from './option-values.ts';
import { printMessage, printText } from './print.ts';
import { noteSensitivity } from './protected-data.ts';
import { messageWidth } from './terminal-width.ts';
import { usageError } from './usage-error.ts';
import { packageVersion } from './version.ts';

const DEFAULT_PORT = 7171;
const SHORTEST_TOKEN = 12;
const TOKEN_VARIABLE = 'KRISIS_VIEW_TOKEN';

const NOTES = `
The server reads run files and writes nothing; with --edit it writes notes on
runs (RUN.notes.json). It listens on this machine only; with --host other
machines can connect, and need the token.

Examples:
  krisis view                      the runs of this folder
  krisis view latest               one run
  krisis view runs ../anna/runs    the runs of several folders
  krisis view --edit               with names, notes and tags to edit
  krisis view --export site        a static site: open site/index.html
`;

/** `krisis view`: shows run files in a local web app, or exports them as a static site. */
export function viewCommand() {
  return commandWithOptions().action(async (what, flags) => {
    const token = tokenOf(flags);
    checkFlags(flags, token);
    // A protected run can join the folder at any time.
    noteSensitivity({});
    const place = {
      ...placeOf(what),
      mayEdit: flags.edit,
      followSymlinks: flags.followSymlinks,
      // What other machines can load is as good as exported.
      withholdsText: flags.host !== undefined && !isLoopback(flags.host) && !flags.includeText,
    };
    const appFiles = readAppFiles(fileURLToPath(new URL('../../dist-web/', import.meta.url)));
    if (flags.export !== undefined) return exportTo(flags.export, place, appFiles, flags);
    const runs = servedRuns(place);
    try {
      await serveUntilInterrupted({
        ...flags,
        token,
        isTokenShown: flags.token !== undefined,
        runs,
        appFiles,
        edit: flags.edit ? notesEditor(place) : undefined,
      });
    } finally {
      runs.close();
    }
  });
}

type Flags = ReturnType<ReturnType<typeof commandWithOptions>['opts']>;

function commandWithOptions() {
  return new Command('view')
    .description('view runs in a browser, or export a site')
    .argument('[what...]', `folders of runs, or a run file or a part of its name (default: ${RUNS_FOLDER})`)
    .option(
      '--port <n>',
      `port to listen on; 0 for any free port (default: ${DEFAULT_PORT}, or the next free one)`,
      wholeNumber(0),
    )
    .option('--host <address>', 'listen on this address instead of this machine only; needs a token')
    .option('--token <text>', 'secret that other machines must present; at least 12 characters')
    .option('--token-file <file>', 'read that secret from the first line of a file')
    .option('--no-open', 'do not open a browser')
    .option('--edit', 'name, tag, annotate and hide runs in the page')
    .option('--follow-symlinks', 'also show runs that are symbolic links')
    .option('--export <folder>', 'write a static site instead of serving')
    .option('--include-text', 'with --export or --host: also patient and model text of protected suites')
    .option('--force', 'replace an earlier export')
    .addHelpText('after', NOTES);
}

function exportTo(
  out: string,
  place: ViewedPlace,
  appFiles: AppFiles,
  { includeText, force }: Pick<Flags, 'includeText' | 'force'>,
): void {
  const runs = viewedRuns(place);
  try {
    const progress = exportProgress();
    const site = exportSite({
      ...{ runs, appFiles, out, includeText, force },
      krisisVersion: packageVersion(),
      onProgress: progress.show,
    });
    progress.clear();
    for (const note of site.notes) printMessage(`! ${plain(note)}\n`);
    if (site.runs.runs.some(({ sensitivity }) => sensitivity === 'protected') && !includeText)
      printMessage('To export text of protected suites too, add --include-text.\n');
    const { length: n } = site.runs.runs;
    printText(`${n === 1 ? '1 run' : `${n} runs`} in ${out}: open ${join(out, 'index.html')}\n`);
  } finally {
    runs.close();
  }
}

/** Shows on standard error how far an export is: a line on a terminal, elsewhere one now and then. */
function exportProgress() {
  const isTerminal = process.stderr.isTTY === true && process.env.TERM !== 'dumb';
  const everyMs = isTerminal ? 100 : 10_000;
  let shownAt = Date.now();
  let isShown = false;
  return {
    show({ what, done, total }: ExportProgress): void {
      if (Date.now() - shownAt < everyMs) return;
      shownAt = Date.now();
      isShown = true;
      const text = `${plain(what)}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
      process.stderr.write(isTerminal ? `\r\u001b[2K${text.slice(0, messageWidth() - 1)}` : `${text}\n`);
    },
    clear(): void {
      if (isTerminal && isShown) process.stderr.write('\r\u001b[2K');
    },
  };
}

/** The token of a flag, of a file or of the environment, which other users of the machine cannot see. */
function tokenOf({ token, tokenFile }: Flags): string | undefined {
  const fromEnvironment = process.env[TOKEN_VARIABLE];
  const given = [token, tokenFile, fromEnvironment].filter((one) => one !== undefined);
  if (given.length > 1)
    throw usageError(`give at most one of --token, --token-file and the variable ${TOKEN_VARIABLE}`);
  return tokenFile === undefined ? (token ?? fromEnvironment) : tokenIn(tokenFile);
}

function tokenIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/, 1)[0]!.trim();
  } catch (error) {
    throw usageError(`--token-file ${file}: cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function checkFlags(flags: Flags, token: string | undefined): void {
  const { host, port } = flags;
  if (host !== undefined && !isLoopback(host) && !token)
    throw usageError(
      `--host ${host} lets other machines connect: add a --token or --token-file that they must present`,
    );
  if (host === '') throw usageError('--host is empty: expected a name or an address');
  if (token !== undefined && token.length < SHORTEST_TOKEN)
    throw usageError(`the token is too easy to guess: expected at least ${SHORTEST_TOKEN} characters`);
  if (port !== undefined && port > 65_535) throw usageError(`--port ${port}: expected 0 to 65535`);
  if (flags.export === undefined && flags.force) throw usageError('--force needs --export');
  if (flags.includeText && flags.export === undefined && (host === undefined || isLoopback(host)))
    throw usageError(
      '--include-text needs --export or --host: on this machine the page shows text on request',
    );
  if (flags.export !== undefined && flags.edit)
    throw usageError('--edit is for the server; an export is only read: leave one out');
}

function placeOf([what, ...others]: readonly string[]): ViewedPlace {
  const more = [...new Set(others.map((folder) => normalize(folder)))];
  const notFolder = more.length === 0 ? undefined : [what!, ...more].find((name) => !isFolderAt(name));
  if (notFolder !== undefined)
    throw usageError(`${notFolder}: not a folder; several folders can be viewed at once, or one run`);
  const first = placeOfOne(what);
  return 'folder' in first ? { ...first, more: more.filter((folder) => folder !== first.folder) } : first;
}

function isFolderAt(name: string): boolean {
  return existsSync(name) && statSync(name).isDirectory();
}

function placeOfOne(what: string | undefined): ViewedPlace {
  const folder = what ?? RUNS_FOLDER;
  const isFolder = isFolderAt(folder);
  if (isFolder && readdirSync(folder).some((name) => name.endsWith('.db') && !isReviewPath(name)))
    return { folder: normalize(folder) };
  if (isFolder || what === undefined)
    throw new KrisisError(
      `no runs in ${folder}; create one with krisis run, or view another folder with krisis view FOLDER`,
      { code: 'ERR_NO_RUNS', value: folder },
    );
  const run = findRun(what);
  // Report a file that is not a run here, not on an empty page.
  runLine(run);
  return { run };
}

async function serveUntilInterrupted(
  options: Omit<Flags, 'edit' | 'token'> &
    Pick<Parameters<typeof listen>[0], 'runs' | 'appFiles' | 'edit' | 'token'> & {
      readonly isTokenShown: boolean;
    },
): Promise<void> {
  const { host = '127.0.0.1', token, runs, appFiles, edit } = options;
  const wanted = options.port ?? DEFAULT_PORT;
  const server = await listen({
    runs,
    appFiles,
    edit,
    host,
    token,
    port: wanted,
    orNext: options.port === undefined,
    onFault: (error) => process.stderr.write(faultText(error)),
  });
  if (wanted !== 0 && server.port !== wanted)
    printMessage(`port ${wanted} is in use; listening on ${server.port}\n`);
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : hostInUrl(host);
  const query = token === undefined ? '' : `?token=${encodeURIComponent(token)}`;
  const url = `http://${name}:${server.port}/${query}`;
  // A secret that was kept out of the command line stays out of the output too.
  const isHidden = token !== undefined && !options.isTokenShown;
  process.stdout.write(`${isHidden ? `http://${name}:${server.port}/?token=` : url}\n`);
  if (isHidden) printMessage('put the token at the end of the address\n');
  printMessage('press Ctrl-C to stop\n');
  if (options.open) openBrowser(url);
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve()).once('SIGTERM', () => resolve());
  });
  await server.close();
}
