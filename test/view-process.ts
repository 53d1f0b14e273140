import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

export interface ViewProcess {
  /** Ends with a slash. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the real `krisis view` on a folder of runs, and waits until it says where it is. */
export async function startView(
  folder: string,
  cwd = process.cwd(),
  more: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): Promise<ViewProcess> {
  const child = spawn(
    process.execPath,
    [resolve('bin/krisis.js'), 'view', folder, '--no-open', '--port', '0', ...options],
    { cwd, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...more, NO_COLOR: '1' } },
  );
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  const url = await new Promise<string>((found, failed) => {
    let said = '';
    const read = (chunk: Buffer) => {
      said += chunk;
      const match = /http:\/\/[\w.:[\]-]+\/?/.exec(said);
      if (match !== null) found(match[0].endsWith('/') ? match[0] : `${match[0]}/`);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', (code) => failed(new Error(`krisis view ended with ${code}: ${said}`)));
  });
  return {
    url,
    stop: () => {
      child.kill('SIGINT');
      return ended;
    },
  };
}
