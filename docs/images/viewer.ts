/**
 * Takes the pictures of the viewer for the documentation, with the browser of the tests:
 *
 *     npm run build:web && node docs/images/viewer.ts
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium } from '../../test/chromium.ts';
import { withToken } from '../../test/view-process.ts';

const bin = resolve(import.meta.dirname, '../../bin/krisis.js');
const folder = mkdtempSync(join(tmpdir(), 'krisis-pictures-'));
const krisis = (...args: string[]) => execFileSync(process.execPath, [bin, ...args], { cwd: folder });

krisis(
  'run',
  'ckd/staging',
  '-m',
  'simulated/careful,simulated/overconfident',
  '--limit',
  '200',
  '--bootstrap',
  '200',
  '--group-by',
  'sex',
);
krisis(
  'run',
  'open/clinical',
  '-m',
  'baseline/reference',
  '--judge',
  'baseline/lexical',
  '--set',
  'passes=2',
);
const runs = readdirSync(join(folder, '.krisis/runs')).flatMap((name) => /^(.*)\.db$/.exec(name)?.[1] ?? []);
const named = (part: string) => encodeURIComponent(runs.find((run) => run.includes(part))!);
const [careful, overconfident, questions] = ['careful', 'overconfident', 'open'].map(named);

const view = await serve('view', '--no-open', '--port', '0');
const review = await serve('review', 'open', '--n', '20', '--reviewer', 'ann', '--no-open', '--port', '0');
const browser = await chromium.launch({
  executablePath: findChromium()!,
  args: ['--no-sandbox', '--disable-gpu'],
});
const [origin, token] = view.url.split('#token=') as [string, string];
const at = (route: string) => withToken(`${origin}${route}`, token);
const PICTURES = [
  ['viewer-runs', at('#/'), 1280, 660],
  ['viewer-run', at(`#/runs/${overconfident}`), 1280, 960],
  ['viewer-records', at(`#/runs/${overconfident}/records`), 1280, 760],
  ['viewer-compare', at(`#/compare?runs=${careful}&runs=${overconfident}`), 1280, 860],
  ['viewer-questions', at(`#/runs/${questions}/questions`), 1280, 800],
  ['viewer-dark', at(`#/runs/${careful}`), 1280, 760, 'dark'],
  ['viewer-narrow', at(`#/runs/${overconfident}`), 390, 844],
  ['review', review.url, 1280, 860],
] as const;
for (const [name, address, width, height, colorScheme = 'light'] of PICTURES) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  await page.goto(address);
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(1500);
  await page.screenshot({ path: join(import.meta.dirname, `${name}.png`) });
  await page.close();
}
await browser.close();
for (const { child } of [view, review]) {
  child.kill('SIGINT');
  await once(child, 'exit');
}
rmSync(folder, { recursive: true });

/** Starts a server and waits for its address. */
async function serve(...args: string[]): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  for await (const text of child.stdout!) {
    said += text;
    const url = /http:\/\/\S+(?=\n)/.exec(said)?.[0];
    if (url !== undefined) return { url, child };
  }
  throw new Error(`no address: ${said}`);
}
