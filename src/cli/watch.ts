import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, statSync, watch } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { KrisisError } from '../core/errors.ts';
import { packageFile } from './package-files.ts';

/** Editors write a file in several steps. */
const QUIET_MS = 200;
/** What a config, a suite, questions, prompts and their data are written in. Run files and reports are not among them. */
const WATCHED = new Set('.ts .mts .js .mjs .yaml .yml .json .jsonl .csv .tsv .md .txt'.split(' '));
const BIN = packageFile('bin/krisis.js');

/**
 * Runs `krisis run` with these arguments, and again whenever a file in one of the folders changes, until Ctrl-C. Returns the exit code of the last run. Each run is a process of its own, so
 * that it loads everything afresh; replies that are known come from the cache. A run under way is stopped softly first.
 */
export async function watchRun(args: readonly string[], folders: readonly string[]): Promise<number> {
  let child: ChildProcess | null = null;
  let changed: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let wake = () => {};
  let isEnding = false;
  const onChange = (_: string, name: string | null) => {
    if (name === null || !WATCHED.has(extname(name))) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      changed = name;
      child?.kill('SIGINT');
      wake();
    }, QUIET_MS);
  };
  const watchers = folders.map((folder) => watchFolder(folder, onChange));
  const end = (signal: NodeJS.Signals) => {
    isEnding = true;
    // A terminal sends Ctrl-C to the run as well, and a second one would end it at once.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child?.kill(signal);
    wake();
  };
  process.on('SIGINT', end).on('SIGTERM', end);
  let code = 0;
  while (!isEnding) {
    changed = null;
    child = spawn(process.execPath, [...process.execArgv, BIN, 'run', ...args], { stdio: 'inherit' });
    code = await waitForExit(child);
    child = null;
    if (isEnding) break;
    if (changed === null) {
      process.stderr.write('\nwatching for changes (Ctrl-C ends)\n');
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (changed !== null) process.stderr.write(`\nchanged: ${changed}\n`);
  }
  clearTimeout(timer);
  for (const watcher of watchers) watcher.close();
  process.off('SIGINT', end).off('SIGTERM', end);
  return code;
}

/** The folders of the config, of a suite in a file, and of the table that such a suite names. */
export function watchedFolders(suite: string | undefined, config: string | undefined): string[] {
  const folders = [config === undefined ? '.' : dirname(config)];
  if (suite !== undefined && WATCHED.has(extname(suite))) folders.push(dirname(suite));
  if (suite !== undefined && statSync(suite, { throwIfNoEntry: false })?.isFile()) {
    const [, table] = /^file:\s*["']?([^"'#\n]+?)["']?\s*(?:#.*)?$/m.exec(readFileSync(suite, 'utf8')) ?? [];
    if (table !== undefined) folders.push(dirname(resolve(dirname(suite), table)));
  }
  return [...new Set(folders.map((folder) => resolve(folder)))];
}

function watchFolder(folder: string, onChange: (event: string, name: string | null) => void) {
  try {
    return watch(folder, onChange);
  } catch (cause) {
    throw new KrisisError(`${folder}: cannot be watched (${(cause as NodeJS.ErrnoException).code})`, {
      code: 'ERR_FILE_UNREADABLE',
      value: folder,
      cause,
    });
  }
}

/** The exit code of a process; one that a signal ended counts as interrupted. */
function waitForExit(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => resolve(code ?? 130));
  });
}
