import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareRuns } from '../src/analyses/comparison/compare-runs.ts';
import { COMMANDS } from '../src/cli/commands.ts';
import { displayWidth } from '../src/reports/layout/wrap.ts';
import { readRun } from '../src/runs/read-run.ts';
import { renderComparison, renderReport } from '../src/runs/report-formats.ts';
import type { RunResult } from '../src/runs/run-result.ts';
import { rowsFrom, runOf } from './compare-fixture.ts';
import { temporaryFolder } from './engine-fixture.ts';
import { krisis } from './krisis.ts';
import { ANSWERS, goodJudge, runInto, textBackend } from './question-run-fixture.ts';
import { smallResult } from './report-fixture.ts';
import { reportOf } from './run-report-fixture.ts';

const WIDTHS = [60, 80, 100, 140];

/** Lines that are too wide, but for those with a path, an address or a command, and those that are one word. */
function tooWide(text: string, width: number): string[] {
  return stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => displayWidth(line) > width)
    .filter((line) => /\S +\S/.test(line) && !/\S*[/\\]\S{30,}|^ *(?:next: )?krisis /.test(line));
}

describe('text from the library', () => {
  const folder = temporaryFolder();
  afterAll(folder.remove);
  const name = '腎臓/とても長い名前のモデル-with-a-tail-that-never-seems-to-end-at-all';
  const labels = [
    runOf(rowsFrom('+-o!+-'.repeat(10)), { backendName: 'first' }),
    runOf(rowsFrom('++-+x-'.repeat(10)), { backendName: name }),
  ];
  const reports: Record<string, RunResult> = {};
  beforeAll(async () => {
    const backend = textBackend((question) => ANSWERS[question]!, { name });
    const silent = textBackend(() => 'REFUSE', { name: 'unit/silent' });
    Object.assign(reports, {
      small: await smallResult(name),
      whole: reportOf(),
      questions: readRun(await runInto(folder.file('full.db'), { backend, passes: 2 })),
      silent: readRun(await runInto(folder.file('silent.db'), { backend: silent, judge: goodJudge() })),
    });
  });

  it.each(WIDTHS)('has no line wider than %d columns', async (width) => {
    for (const report of Object.values(reports)) {
      expect(tooWide(String(await renderReport(report, 'text', { width })), width)).toEqual([]);
      expect(tooWide(String(await renderReport(report, 'text', { width, isBrief: true })), width)).toEqual(
        [],
      );
    }
    const { questions, silent } = reports;
    for (const pair of [labels, [silent!, questions!]]) {
      const comparison = compareRuns(pair, { resamples: 50 });
      const text = await renderComparison(comparison, 'text', { width, reports: pair });
      expect(tooWide(text, width)).toEqual([]);
    }
  });
});

describe('what commands print', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'krisis-widths-'));
  afterAll(() => rmSync(cwd, { recursive: true }));
  const at = (width: number, ...args: string[]) =>
    krisis(args, { cwd, env: { ...process.env, COLUMNS: String(width) } });
  it('shows the demonstration on one screen of 80 columns', async () => {
    const { code, stdout, stderr } = await at(80, 'run');
    expect(code).toBe(0);
    expect(stdout).toBe(readFileSync('test/fixtures/demonstration-80.txt', 'utf8'));
    expect(`${stderr}${stdout}`.split('\n').length).toBeLessThanOrEqual(41);
  });

  it.each(WIDTHS)('fits into %d columns', async (width) => {
    const models = ['--model', 'simulated/careful,baseline/guideline', '--limit', '20', '--bootstrap', '50'];
    const commands = [
      ['run', 'ckd/detection', ...models, '--new', '--assert', 'accuracy >= 0.2'],
      ['run', 'ckd/detection', ...models, '--dry-run'],
      ['compare', '--last', '--bootstrap', '50', '--assert', 'lower(accuracy) >= 0.2'],
      ['report', 'latest', '--bootstrap', '50'],
      ['runs', 'verify', 'latest'],
      ['list'],
      ['check'],
      ['check', 'ckd/staging'],
      ['check', 'open/clinical'],
      ['score', join(process.cwd(), 'examples/answers.jsonl'), '--bootstrap', '50'],
    ];
    for (const command of commands) {
      const { code, stdout, stderr } = await at(width, ...command);
      expect([command, code, tooWide(`${stdout}${stderr}`, width)]).toEqual([command, 0, []]);
    }
    const { stderr } = await at(width, 'report', 'no-such-run');
    expect(tooWide(stderr, width)).toEqual([]);
  });

  it.each(WIDTHS)('fits help into %d columns', async (width) => {
    for (const command of [[], ...Object.keys(COMMANDS).map((name) => [name])]) {
      const { stdout } = await at(width, ...command, '--help');
      expect(stdout).toContain('Usage:');
      expect([command, tooWide(stdout, width)]).toEqual([command, []]);
    }
  });

  it('is 80 columns wide where no width is known, and messages are whole', async () => {
    const { COLUMNS: _, ...env } = process.env;
    const { stdout } = await krisis(['check', 'ckd/staging'], { cwd, env });
    const widest = Math.max(...stdout.split('\n').map(displayWidth));
    expect([widest > 70, tooWide(stdout, 80)]).toEqual([true, []]);
    const { stderr } = await krisis(['run', 'ckd/staging', '--model', 'openai/x', '--judge', 'y'], {
      cwd,
      env,
    });
    expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
    const stated = await krisis(['check', 'ckd/staging'], { cwd, env: { ...env, COLUMNS: 'wide' } });
    expect(stated.stdout).toBe(stdout);
  });

  it('writes a file that does not depend on the terminal', async () => {
    await at(80, 'report', 'latest', '-o', 'narrow.txt', '--bootstrap', '50');
    expect(tooWide(readFileSync(join(cwd, 'narrow.txt'), 'utf8'), 80)).toEqual([]);
  });
});
