import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const LIMIT_MS = 5 * 60_000;

/** A program that some tests need. */
interface Program {
  readonly what: string;
  readonly find: () => string | null;
  /** The variable that names another one. */
  readonly variable: string;
  /** Packages that have it, the preferred one first. */
  readonly packages: readonly string[];
  readonly skipped: readonly string[];
  readonly help: readonly string[];
}

/**
 * Finds a program. Where there is none, and the system is one whose packages we may install without asking, it is installed; anywhere else it says loudly what is skipped. Never fails, never asks,
 * never takes longer than the limit.
 */
export function installed(program: Program): void {
  const { what, find } = program;
  const known = find();
  if (known !== null) {
    console.log(`${what}: ${known}`);
    return;
  }
  const why = install(program);
  const found = find();
  if (found !== null) console.log(`${what}: ${found}, installed now`);
  else sayLoudly(program, why ?? 'the package has no program where it was looked for');
}

/** Why it was not installed; null when it was. */
function install({ what, variable, packages }: Program): string | null {
  const named = process.env[variable];
  if (named) return `${variable} is ${named}, and nothing is there`;
  if (process.platform !== 'linux') return `nothing is installed on ${process.platform} without being asked`;
  if (!existsSync('/usr/bin/apt-get')) return 'this system has no apt-get';
  const asRoot = rootPrefix();
  if (asRoot === null) return 'installing needs root, or sudo without a password';
  const until = Date.now() + LIMIT_MS;
  const apt = (...args: string[]) => {
    // Behind sudo, which passes on no variables.
    const quietly = [
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      '-qq',
      '-y',
      '-o',
      'DPkg::Lock::Timeout=60',
    ];
    const [command, ...rest] = [...asRoot, ...quietly, ...args];
    console.log(`no ${what} found; ${[command, ...rest].join(' ')}`);
    const { status, error, stderr } = spawnSync(command!, rest, {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      timeout: Math.max(1000, until - Date.now()),
      killSignal: 'SIGTERM',
    });
    if (status === 0) return null;
    const last = (stderr ?? '').trim().split('\n').at(-1);
    return `apt-get ${args[0]} failed: ${error?.message ?? (last || `exit code ${status}`)}`;
  };
  let why = apt('update');
  for (const name of packages) {
    why = apt('install', '--no-install-recommends', name);
    if (why === null || Date.now() > until) break;
  }
  return why;
}

/** The beginning of a command that needs root; null where it may not be run. */
function rootPrefix(): string[] | null {
  if (process.getuid?.() === 0) return [];
  const { status } = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore', timeout: 10_000 });
  return status === 0 ? ['sudo', '-n'] : null;
}

function sayLoudly({ skipped, help }: Program, why: string): void {
  const line = '!'.repeat(78);
  const [first, ...others] = help;
  const lines = [...skipped, `Why: ${why}.`, `To run them: ${first}`, ...others];
  console.warn([line, ...lines.map((text) => `!! ${text}`), line].join('\n'));
}
