/**
 * Takes the pictures of the viewer and of a report, from runs that need no key. Needs an installed Chromium:
 *
 *     npm run build:web && node docs/images/viewer.ts [FOLDER]
 *
 * FOLDER: where the pictures go. Default: beside this file. Numbers come from seeds and are the same every time; dates are those of the day.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import type { RecordsPayload, RunsPayload } from '../../src/viewer/api.ts';
import { findChromium } from '../../test/chromium.ts';
import { startView } from '../../test/view-process.ts';

interface Picture {
  readonly name: string;
  readonly address: string;
  /** The element to wait for. */
  readonly ready: string;
  /** The element at the top of the picture. Default: the top of the page. */
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
  krisis(['report', 'ckd-staging_simulated-careful', '--format', 'html', '-o', 'report.html'], cwd);
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

async function pictures(url: string, report: string): Promise<Picture[]> {
  const ask = async <T>(path: string) => (await (await fetch(`${url}api/${path}`)).json()) as T;
  const { runs } = await ask<RunsPayload>('runs');
  const idOf = (model: string) => runs.find((run) => run.model === model)!.id;
  const [careful, overconfident] = [idOf('simulated/careful'), idOf('simulated/overconfident')];
  const wrong = 'outcome=answered_wrong&sort=-confidence';
  const { rows } = await ask<RecordsPayload>(`runs/${overconfident}/records?${wrong}&limit=4`);
  const record = `${url}#/runs/${overconfident}/records?${wrong}&record=${encodeURIComponent(rows[3]!.id)}&at=3`;
  const compared = `${url}#/compare?a=${overconfident}&b=${careful}`;
  return [
    {
      name: 'report',
      address: report,
      ready: '#headline-title',
      from: '#headline-title',
      width: 1140,
      height: 576,
    },
    { name: 'viewer-runs', address: `${url}#/`, ready: '.runs', height: 660 },
    {
      name: 'viewer-run',
      address: `${url}#/runs/${careful}?threshold=0.85`,
      ready: '.krisis-chart',
      from: '#confidence-title',
      height: 960,
    },
    { name: 'viewer-records', address: record, ready: 'aside.record .attempts' },
    { name: 'viewer-compare', address: compared, ready: '.krisis-chart', height: 860 },
    {
      name: 'viewer-questions',
      address: `${url}#/runs/${idOf('recorded/answers')}/questions?answer=missed-session`,
      ready: '.answer',
      from: '#traits-title',
      height: 800,
    },
    {
      name: 'viewer-dark',
      address: `${url}#/runs/${careful}?threshold=0.85`,
      ready: '.krisis-chart',
      dark: true,
    },
    {
      name: 'viewer-narrow',
      address: `${url}#/runs/${careful}`,
      ready: '.krisis-chart',
      width: 390,
      height: 844,
    },
  ];
}

const out = resolve(process.argv[2] ?? import.meta.dirname);
const executablePath = findChromium();
if (executablePath === null) throw new Error('no Chromium found: install it or set CHROMIUM_PATH');
const folder = mkdtempSync(join(tmpdir(), 'krisis-pictures-'));
try {
  makeRuns(folder);
  // A relative folder, because the picture shows it.
  const view = await startView('.krisis/runs', folder);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    mkdirSync(out, { recursive: true });
    for (const picture of await pictures(view.url, pathToFileURL(join(folder, 'report.html')).href)) {
      const { name, address, ready, from, width = 1280, height = 760, dark } = picture;
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
      });
      const page = await context.newPage();
      await page.goto(address);
      await page.locator(ready).first().waitFor();
      await page
        .getByText(/^Loading/)
        .first()
        .waitFor({ state: 'hidden' });
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
