import { spawn } from 'node:child_process';

export interface Measured {
  readonly seconds: number;
  /** Peak resident memory, where the process says it: a line `peak KILOBYTES` on standard error. */
  readonly megabytes: number;
  readonly stdout: string;
}

/** Runs a node process and measures it as a whole, its start included. One that fails is an error. */
export function measured(args: readonly string[], cwd: string): Promise<Measured> {
  return new Promise((done, fail) => {
    const started = performance.now();
    const child = spawn(process.execPath, args, { cwd });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('close', (code) => {
      const seconds = (performance.now() - started) / 1000;
      if (code !== 0) return fail(new Error(`${args.join(' ')}: ${code} ${stderr}`));
      const megabytes = Number(/peak (\d+)/.exec(stderr)?.[1] ?? 0) / 1024;
      done({ seconds, megabytes, stdout });
    });
  });
}

/** The same, and what it printed must be this number: a run that lost rows is not fast. */
export async function measuredCount(args: readonly string[], cwd: string, n: number): Promise<Measured> {
  const found = await measured(args, cwd);
  if (Number(found.stdout) !== n)
    throw new Error(`${args.join(' ')}: expected ${n}, printed ${found.stdout}`);
  return found;
}

export async function best(times: number, work: () => Promise<Measured>): Promise<Measured> {
  const found: Measured[] = [];
  for (let i = 0; i < times; i++) found.push(await work());
  return found.sort((a, b) => a.seconds - b.seconds)[0]!;
}
