import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findChromium } from './chromium.ts';

/**
 * Called before the tests: those of the viewer drive a real browser. Where there is none, and the system is one whose packages we may install without asking anybody, it is installed; anywhere
 * else it is said loudly what is skipped. Never fails, never asks, never takes longer than the limit.
 */
const LIMIT_MS = 5 * 60_000;
const PACKAGES = ['chromium', 'chromium-browser'];

const known = findChromium();
if (known !== null) console.log(`browser of the viewer's tests: ${known}`);
else {
  const why = install();
  const found = findChromium();
  if (found !== null) console.log(`browser of the viewer's tests: ${found}, installed now`);
  else sayLoudly(why ?? 'the package has no browser where it was looked for');
}

/** Why it was not installed; null when it was. */
function install(): string | null {
  const named = process.env.CHROMIUM_PATH;
  if (named) return `CHROMIUM_PATH is ${named}, and nothing is there`;
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
    console.log(`no browser found; ${[command, ...rest].join(' ')}`);
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
  for (const name of PACKAGES) {
    why = apt('install', '--no-install-recommends', name);
    if (why === null || Date.now() > until) break;
  }
  return why;
}

/** What stands before a command that needs root; null where it may not be run. */
function rootPrefix(): string[] | null {
  if (process.getuid?.() === 0) return [];
  const { status } = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore', timeout: 10_000 });
  return status === 0 ? ['sudo', '-n'] : null;
}

function sayLoudly(why: string): void {
  const line = '!'.repeat(78);
  console.warn(
    [
      line,
      '!! NO CHROMIUM: the tests of the viewer in a real browser (test/viewer.test.ts)',
      '!! ARE SKIPPED. All other tests run.',
      `!! Why: ${why}.`,
      '!! To run them: install Chromium (Debian, Ubuntu: apt-get install chromium; macOS:',
      '!! brew install chromium), or set CHROMIUM_PATH to a Chromium or Chrome.',
      line,
    ].join('\n'),
  );
}
