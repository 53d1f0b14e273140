import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

export interface ViewProcess {
  /** Without the token; ends with a slash. */
  readonly url: string;
  readonly token: string;
  /** All that it printed so far. */
  output(): string;
  readonly pid: number;
  /** Sends a request with the token to a path such as `api/runs`. */
  fetch(path: string): Promise<Response>;
  stop(): Promise<void>;
}

/**
 * An address of a server that opens a page: the page exchanges the token behind its route for a
 * cookie.
 */
export function withToken(url: string, token: string): string {
  return url.includes('#') ? `${url}${url.includes('?') ? '&' : '?'}token=${token}` : `${url}#token=${token}`;
}

/** Starts the real `krisis view` on a folder of runs, and waits until it says where it is. */
export async function startView(
  folder: string,
  cwd = process.cwd(),
  more: Readonly<Record<string, string>> = {},
  options: readonly string[] = ['--no-open'],
): Promise<ViewProcess> {
  const child = spawn(
    process.execPath,
    [resolve('bin/krisis.js'), 'view', folder, '--port', '0', ...options],
    { cwd, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...more, NO_COLOR: '1' } },
  );
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  let output = '';
  const [, url, token] = await new Promise<readonly string[]>((found, failed) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const match = /(http:\/\/\S+\/)#token=(\S*)\n/.exec(output);
      if (match !== null) found(match);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', (code) => failed(new Error(`krisis view ended with ${code}: ${output}`)));
  });
  return {
    url: url!,
    token: token!,
    output: () => output,
    pid: child.pid!,
    fetch: (path) => fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } }),
    stop: () => {
      child.kill('SIGINT');
      return ended;
    },
  };
}
