import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '../viewer/listen.ts';
import { faultText } from './errors.ts';

/** A browser has loaded the file by then, or never will. */
const REMOVE_AFTER_MS = 120_000;

/** Serves pages until Ctrl-C. `announce` prints where they are, and returns the address to open in a browser, if any. */
export async function servePages(
  options: Parameters<typeof listen>[0],
  announce: (server: { readonly port: number; readonly origin: string }) => string | null,
): Promise<void> {
  const browser = browserOpener();
  const server = await listen({
    ...options,
    onSession: browser.removeFile,
    onFault: (error) => process.stderr.write(faultText(error)),
  });
  const url = announce(server);
  if (url !== null) browser.open(url);
  await interrupted();
  browser.removeFile();
  await server.close();
}

/** Resolves when a server is to stop: at Ctrl-C, SIGTERM, or when its terminal is closed. */
function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

/**
 * Opens addresses that contain a token. Other users can see the arguments of a process, so the
 * browser is passed a private file that redirects to the address. A missing browser is ignored: the
 * printed address is enough.
 */
function browserOpener(): {
  open(url: string): void;
  /** Removes the file. Called once a browser has the address. */
  removeFile(): void;
} {
  let path: string | null = null;
  const removeFile = () => {
    if (path !== null) rmSync(path, { force: true });
    path = null;
  };
  return {
    removeFile,
    open(url) {
      path = writeRedirect(url);
      if (path === null) return;
      process.once('exit', removeFile);
      setTimeout(removeFile, REMOVE_AFTER_MS).unref();
      const [command, ...args] =
        process.platform === 'darwin'
          ? ['open', path]
          : process.platform === 'win32'
            ? ['rundll32', 'url.dll,FileProtocolHandler', path]
            : ['xdg-open', path];
      spawn(command!, args, { stdio: 'ignore', detached: true }).on('error', removeFile).unref();
    },
  };
}

/**
 * Browsers in a sandbox (snap) read neither temporary nor hidden folders, so the home folder comes
 * first.
 */
function writeRedirect(url: string): string | null {
  const name = `krisis-${randomBytes(9).toString('base64url')}.html`;
  const target = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${target}"><title>Krisis</title>`;
  for (const folder of [homedir(), tmpdir()]) {
    const path = join(folder, name);
    try {
      writeFileSync(path, page, { flag: 'wx', mode: 0o600 });
      return path;
    } catch {
      // A home folder may be missing or read-only.
    }
  }
  return null;
}
