import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

export interface ReviewProcess {
  /** The link of each reviewer, in the order of their names. */
  readonly links: readonly string[];
  readonly port: number;
  readonly child: ChildProcess;
  /** Resolves when the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts the real `krisis review` on a run, and waits for a link for each reviewer. */
export async function startReview(
  run: string,
  reviewers: readonly string[],
  { port = 0, more = [] }: { readonly port?: number; readonly more?: readonly string[] } = {},
): Promise<ReviewProcess> {
  const args = [
    'review',
    run,
    '--no-open',
    '--port',
    String(port),
    '--reviewer',
    reviewers.join(','),
    ...more,
  ];
  const child = spawn(process.execPath, [resolve('bin/krisis.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  const links = await new Promise<string[]>((found, failed) => {
    let [said, heard] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk;
      const urls = said.match(/http:\/\/\S+(?=\n)/g) ?? [];
      if (urls.length === reviewers.length) found([...urls]);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      heard += chunk;
    });
    child.once('close', (code) => failed(new Error(`krisis review ended with ${code}: ${said}${heard}`)));
  });
  return {
    links,
    port: Number(new URL(links[0]!).port),
    child,
    stop: (signal = 'SIGINT') => {
      child.kill(signal);
      return ended;
    },
  };
}
