import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const bin = resolve('bin/krisis.js');

/** Runs the real command, as a user would. */
export function krisis(args: readonly string[], options: { cwd?: string; input?: string } = {}): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    encoding: 'utf8',
    cwd: options.cwd,
    input: options.input ?? '',
    env: { ...process.env, NO_COLOR: '1' },
  });
  return { code: status, stdout, stderr };
}
