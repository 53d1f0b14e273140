import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const BIN = resolve(import.meta.dirname, '../bin/krisis.js');
/** Conditions that failed, and those that cannot be decided, are answers, not errors. */
const ANSWERS = [0, 1, 3];

/** What the real command prints with `--json`. A study uses nothing else of Krisis. */
export function krisisJson(folder: string, args: readonly string[]): Json {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args, '--json'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    env: { ...process.env, NO_COLOR: '1' },
  });
  if (status === null || !ANSWERS.includes(status))
    throw new Error(`krisis ${args.join(' ')} ended with ${status}:\n${stderr}`);
  return { ...JSON.parse(stdout), exit_code: status };
}

// biome-ignore lint/suspicious/noExplicitAny: the documented JSON of the commands, read field by field
export type Json = any;
