import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { Command, Option } from '@commander-js/extra-typings';
import { KrisisError } from '../core/errors.ts';
import { plain } from '../core/plain-text.ts';
import { counted } from '../core/wording.ts';
import { findRun } from '../store/find-run.ts';
import { RUNS_FOLDER } from '../store/list-runs.ts';
import { isReviewPath } from '../store/review/review-file.ts';
import { type AppFiles, readAppFiles } from '../viewer/app-files.ts';
import { notesEditor } from '../viewer/edit-notes.ts';
import { type ExportProgress, exportSite } from '../viewer/export-site.ts';
import { isLoopback } from '../viewer/guard.ts';
import type { ViewedPlace } from '../viewer/open-runs.ts';
import { runLine } from '../viewer/run-line.ts';
import { servedRuns } from '../viewer/served-runs.ts';
import { viewedRuns } from '../viewer/viewed-runs.ts';
import { usageError } from './errors.ts';
import { wholeNumber } from './options/option.ts';
import { packageFile, packageVersion } from './package-files.ts';
import { messageWidth, printMessage, printText } from './print.ts';
import { noteSensitivity } from './protected-data.ts';
import { servePages } from './serve-pages.ts';

const DEFAULT_PORT = 7171;
const TOKEN_BYTES = 24;
/** Characters that a header and the fragment of an address hold as they are. */
const TOKEN_FORM = /^[\w.~+/=-]{20,}$/;
const TOKEN_VARIABLE = 'KRISIS_VIEW_TOKEN';

const NOTES = `
The server reads run files and writes nothing; with --edit it writes notes on
runs (RUN.notes.json). It listens on this machine only; with --host other
machines can connect. The printed address ends with a token, new at each start:
other users, of this machine too, see nothing without it.

Examples:
  krisis view                      the runs of this folder
  krisis view latest               one run
  krisis view runs ../anna/runs    the runs of several folders
  krisis view --edit               with names, notes and tags to edit
  krisis view --export exported    a static site: open exported/index.html
`;

/** `krisis view`: shows run files in a local web app, or exports them as a static site. */
export function viewCommand() {
  return commandWithOptions().action(async (what, flags) => {
    const chosenToken = readToken(flags);
    checkFlags(flags);
    // A protected run can join the folder at any time.
    noteSensitivity({});
    const place = {
      ...resolvePlace(what),
      mayEdit: flags.edit,
      followSymlinks: flags.followSymlinks,
      // What other machines can load is as good as exported.
      withholdsText: flags.host !== undefined && !isLoopback(flags.host) && !flags.includeText,
    };
    const appFiles = readAppFiles(packageFile('dist-web/'));
    if (flags.export !== undefined) return exportTo(flags.export, place, appFiles, flags);
    const { host = '127.0.0.1', port: wanted = DEFAULT_PORT, open } = flags;
    const token = chosenToken ?? randomBytes(TOKEN_BYTES).toString('base64url');
    const edit = flags.edit ? notesEditor(place) : undefined;
    const runs = servedRuns(place);
    const options = { runs, appFiles, edit, host, token, port: wanted, orNext: flags.port === undefined };
    try {
      await servePages(options, ({ port, origin }) => {
        if (wanted !== 0 && port !== wanted) printMessage(`port ${wanted} is in use; listening on ${port}\n`);
        if (!isLoopback(host))
          printMessage('! other machines can connect: anyone with the address can look\n');
        const address = `${origin}/#token=`;
        const url = `${address}${token}`;
        // A token that the user keeps elsewhere stays out of the output.
        process.stdout.write(`${chosenToken === null ? url : address}\n`);
        if (chosenToken !== null) printMessage('put the token at the end of the address\n');
        printMessage('press Ctrl-C to stop\n');
        return open ? url : null;
      });
    } finally {
      runs.close();
    }
  });
}

type Flags = ReturnType<ReturnType<typeof commandWithOptions>['opts']>;

function commandWithOptions() {
  return new Command()
    .argument('[what...]', `folders of runs, or a run file or a part of its name (default: ${RUNS_FOLDER})`)
    .option(
      '--port <n>',
      `port to listen on; 0 for any free port (default: ${DEFAULT_PORT}, or the next free one)`,
      wholeNumber(0),
    )
    .option('--host <address>', 'listen on this address instead of this machine only')
    .option('--token-file <file>', 'token to use, from the first line of a file (default: a random one)')
    .addOption(new Option('--token <text>').argParser(rejectToken).hideHelp())
    .option('--no-open', 'do not open a browser')
    .option('--edit', 'name, tag, annotate and hide runs in the page')
    .option('--follow-symlinks', 'also show runs that are symbolic links')
    .option('--export <folder>', 'write a static site instead of serving')
    .option('--include-text', 'with --export or --host: also patient and model text of protected suites')
    .option('--force', 'replace an earlier export')
    .addHelpText('after', NOTES);
}

function rejectToken(): never {
  throw usageError(
    '--token would show the token to other users of the machine: put it into a private file and use --token-file FILE, or leave it out for a random one',
  );
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
    printText(`${counted(n, 'run')} in ${plain(out)}: open ${plain(join(out, 'index.html'))}\n`);
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

/**
 * The token of a file or of the environment, which other users of the machine cannot see; null to
 * make one.
 */
function readToken({ tokenFile }: Flags): string | null {
  const fromEnvironment = process.env[TOKEN_VARIABLE] || undefined;
  if (tokenFile !== undefined && fromEnvironment !== undefined)
    throw usageError(`--token-file and the variable ${TOKEN_VARIABLE} both name a token: leave one out`);
  const token = tokenFile === undefined ? (fromEnvironment ?? null) : readTokenFile(tokenFile);
  if (token !== null && !TOKEN_FORM.test(token))
    throw usageError(
      `${tokenFile ?? TOKEN_VARIABLE}: expected a token of at least 20 letters, digits and - . _ ~ + / =, such as the output of: openssl rand -base64 24`,
    );
  return token;
}

function readTokenFile(path: string): string {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const { mode, uid } = fstatSync(file);
    if (process.getuid !== undefined && ((mode & 0o077) !== 0 || uid !== process.getuid()))
      throw usageError(
        `--token-file ${path}: expected a file that only you can read; make it private: chmod 600 ${path}`,
      );
    return readFileSync(file, 'utf8').split(/\r?\n/, 1)[0]!.trim();
  } catch (error) {
    if (error instanceof KrisisError) throw error;
    throw usageError(`--token-file ${path}: cannot be read (${(error as NodeJS.ErrnoException).code})`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function checkFlags(flags: Flags): void {
  const { host, port } = flags;
  if (host === '') throw usageError('--host is empty: expected a name or an address');
  if (port !== undefined && port > 65_535) throw usageError(`--port ${port}: expected 0 to 65535`);
  if (flags.export === undefined && flags.force) throw usageError('--force needs --export');
  if (flags.includeText && flags.export === undefined && (host === undefined || isLoopback(host)))
    throw usageError(
      '--include-text needs --export or --host: on this machine the page shows text on request',
    );
  if (flags.export !== undefined && flags.edit)
    throw usageError('--edit is for the server; an export is only read: leave one out');
}

function resolvePlace([what, ...others]: readonly string[]): ViewedPlace {
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
