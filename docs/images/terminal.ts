/**
 * Takes pictures of a terminal with the first screens of `run`, `score` and `compare`: runs the commands, and draws what they print with the browser of the tests:
 *
 *     node docs/images/terminal.ts [FOLDER]
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium } from '../../test/chromium.ts';

const COLUMNS = 80;
const bin = resolve(import.meta.dirname, '../../bin/krisis.js');
const env = { ...process.env, COLUMNS: String(COLUMNS), FORCE_COLOR: '1', NO_COLOR: undefined };

/** The commands of the pictures, in the order in which they run in one folder. */
const SCREENS: Readonly<Record<string, readonly string[]>> = {
  'terminal-run': [
    ...['run', 'ckd/staging', '-m', 'simulated/careful'],
    ...['--assert', 'upper(missed_emergency_rate) <= 0.1'],
    ...['--assert', 'upper(unsafe_decision_rate) <= 0.2', '--assert', 'lower(deferral_recall) >= 0.8'],
  ],
  'terminal-score': ['score', 'answers.jsonl', '--task', 'detection', '--positive-label', 'present'],
  'terminal-compare': ['compare', '--last'],
};

/** The style of a code of the terminal. */
const CLASSES: Readonly<Record<number, string>> = { 1: 'b', 2: 'd', 31: 'r', 32: 'g', 33: 'y', 36: 'c' };

/** What runs beforehand, without a picture. */
const BEFORE: Readonly<Record<string, readonly string[]>> = {
  'terminal-score': ['init', 'score'],
  'terminal-compare': ['run'],
};

if (import.meta.main) {
  const target = process.argv[2] ?? import.meta.dirname;
  mkdirSync(target, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'krisis-terminal-'));
  const browser = await chromium.launch({ executablePath: findChromium()!, args: ['--no-sandbox'] });
  for (const [name, args] of Object.entries(SCREENS)) {
    const before = BEFORE[name];
    if (before !== undefined)
      execFileSync(process.execPath, [bin, ...before], { cwd: folder, stdio: 'ignore' });
    const page = await browser.newPage({ viewport: { width: 800, height: 400 } });
    await page.setContent(terminalPage(args, printed(args, folder)));
    await page.locator('main').screenshot({ path: join(target, `${name}.png`) });
    await page.close();
  }
  await browser.close();
  rmSync(folder, { recursive: true });
}

/** What a command prints on both streams of a terminal. */
function printed(args: readonly string[], cwd: string): string {
  const path = join(cwd, 'printed.txt');
  // One file for both keeps their order.
  const file = openSync(path, 'w');
  spawnSync(process.execPath, [bin, ...args], { cwd, env, stdio: ['ignore', file, file] });
  closeSync(file);
  return readFileSync(path, 'utf8').trimEnd();
}

function terminalPage(args: readonly string[], text: string): string {
  const typed = args.map((word) => (/^[\w./-]+$/.test(word) ? word : `'${word}'`)).join(' ');
  return `<style>
    body { margin: 0 }
    main { width: max-content; padding: 14px 18px; background: #10141c; color: #d7dce5;
      font: 14px/1.35 'DejaVu Sans Mono', monospace; white-space: pre }
    .b { font-weight: bold; color: #fff } .d { color: #8b95a7 } .r { color: #ff6b6b } .y { color: #f2c14e }
    .g { color: #7bd88f } .c { color: #6cc7e8 }
  </style><main><span class="g">$</span> ${escaped(`krisis ${wrapped(typed)}`)}\n${styled(text)}</main>`;
}

/** Breaks a command before its options, as a shell takes it. */
function wrapped(command: string): string {
  const lines = [''];
  for (const part of command.split(/ (?=--?[a-z])/)) {
    const line = `${lines.at(-1)} ${part}`;
    if (line.length + 8 > COLUMNS) lines.push(`    ${part}`);
    else lines[lines.length - 1] = line;
  }
  return lines.join(' \\\n').trimStart();
}

/** Text with the colours of a terminal as HTML. A style ends where the next escape begins: Krisis nests none. */
function styled(text: string): string {
  const [first, ...rest] = text.split('\u001b[');
  return rest.reduce((html, part) => {
    const [, code, shown] = /^(\d*)m(.*)$/s.exec(part)!;
    const name = CLASSES[Number(code)];
    return `${html}${name === undefined ? escaped(shown!) : `<span class="${name}">${escaped(shown!)}</span>`}`;
  }, escaped(first!));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
