/**
 * Takes the pictures of the viewer, from runs that need no key and a Chromium that is installed:
 *
 *     npm run build:web && node docs/images/viewer.ts [FOLDER]
 *
 * Without a folder they go beside this file. Numbers come from seeds and are the same every time; dates are those of the day.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import type { RecordsPayload, RunsPayload } from '../../src/viewer/api.ts';
import { findChromium } from '../../test/chromium.ts';
import { startView } from '../../test/view-process.ts';

interface Picture {
  readonly name: string;
  readonly hash: string;
  /** What must be there before the picture is taken. */
  readonly ready: string;
  /** What stands at its top; the beginning of the page unless said. */
  readonly from?: string;
  readonly width?: number;
  readonly height?: number;
  readonly dark?: true;
}

/** Run in the page, whose types this folder does not know. */
const SCROLL = (element: unknown) => (element as { scrollIntoView(): void }).scrollIntoView();

function krisis(args: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(process.execPath, [resolve('bin/krisis.js'), ...args], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`krisis ${args.join(' ')}: ${stderr}`);
}

function makeRuns(cwd: string): void {
  const example = resolve('examples/questions');
  krisis(['run'], cwd);
  krisis(
    [
      'judge',
      '--answers',
      join(example, 'answers.jsonl'),
      '--questions',
      join(example, 'questions.yaml'),
      '--judge',
      'baseline/lexical',
      '--passes',
      '2',
      '--name',
      'recorded/answers',
    ],
    cwd,
  );
}

async function pictures(url: string): Promise<Picture[]> {
  const ask = async <T>(path: string) => (await (await fetch(`${url}api/${path}`)).json()) as T;
  const { runs } = await ask<RunsPayload>('runs');
  const idOf = (model: string) => runs.find((run) => run.model === model)!.id;
  const [careful, overconfident] = [idOf('simulated/careful'), idOf('simulated/overconfident')];
  const wrong = 'outcome=answered_wrong&sort=-confidence';
  const { rows } = await ask<RecordsPayload>(`runs/${overconfident}/records?${wrong}&limit=4`);
  const record = `#/runs/${overconfident}/records?${wrong}&record=${encodeURIComponent(rows[3]!.id)}&at=3`;
  const compared = `#/compare?a=${overconfident}&b=${careful}`;
  return [
    { name: 'viewer-runs', hash: '#/', ready: '.runs', height: 660 },
    {
      name: 'viewer-run',
      hash: `#/runs/${careful}?threshold=0.85`,
      ready: '.krisis-chart',
      from: '#confidence-title',
      height: 960,
    },
    { name: 'viewer-records', hash: record, ready: 'aside.record .attempts' },
    { name: 'viewer-compare', hash: compared, ready: '.krisis-chart', height: 860 },
    {
      name: 'viewer-questions',
      hash: `#/runs/${idOf('recorded/answers')}/questions?answer=missed-session`,
      ready: '.answer',
      from: '#traits-title',
      height: 800,
    },
    { name: 'viewer-dark', hash: `#/runs/${careful}?threshold=0.85`, ready: '.krisis-chart', dark: true },
    { name: 'viewer-narrow', hash: `#/runs/${careful}`, ready: '.krisis-chart', width: 390, height: 844 },
  ];
}

const out = resolve(process.argv[2] ?? import.meta.dirname);
const executablePath = findChromium();
if (executablePath === null) throw new Error('no Chromium found: install it or set CHROMIUM_PATH');
const folder = mkdtempSync(join(tmpdir(), 'krisis-pictures-'));
try {
  makeRuns(folder);
  // A path of somebody's own would be in the picture.
  const view = await startView('.krisis/runs', folder);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    mkdirSync(out, { recursive: true });
    for (const picture of await pictures(view.url)) {
      const { name, hash, ready, from, width = 1280, height = 760, dark } = picture;
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
      });
      const page = await context.newPage();
      await page.goto(`${view.url}${hash}`);
      await page.locator(ready).first().waitFor();
      if (from !== undefined) await page.locator(from).evaluate(SCROLL);
      await page.screenshot({ path: join(out, `${name}.png`) });
      await context.close();
    }
  } finally {
    await browser.close();
    await view.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
