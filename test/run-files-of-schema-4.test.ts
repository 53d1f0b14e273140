import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { listRuns } from '../src/store/list-runs.ts';
import { RunFile } from '../src/store/run-file.ts';
import { verifyRun } from '../src/store/verify-run.ts';
import { krisis } from './krisis.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-schema-4-'));
cpSync('test/fixtures/schema-4', folder, { recursive: true });
afterAll(() => rmSync(folder, { recursive: true }));
const inFolder = (...args: string[]) => krisis(args, { cwd: folder });
const bytes = (file: string) => readFileSync(join(folder, file));

const STAGING = ['run', 'ckd/staging', '--n-records', '20', '--batch-size', '4', '--bootstrap', '0'];
const FILES = [
  ['complete.db', 'complete', 20, 20],
  ['failed-rows.db', 'complete', 20, 20],
  ['interrupted.db', 'interrupted', 4, 20],
  ['protected.db', 'complete', 40, 40],
  ['questions.db', 'complete', 1, 1],
] as const;

describe('a run file of schema 4', () => {
  it('is listed', () => {
    const { runs, unreadable } = listRuns(folder);
    expect(unreadable).toEqual([]);
    for (const [file, status, nDone, nRecords] of FILES)
      expect(runs.find(({ path }) => path.endsWith(`/${file}`))).toMatchObject({ status, nDone, nRecords });
  });

  it.each(FILES)('%s is reported, cannot be verified, and is not changed by that', async (file, status) => {
    const before = bytes(file);
    const report = await inFolder('report', file, '--format', 'metrics-json', '--bootstrap', '0');
    expect([report.code, report.stderr]).toEqual([0, '']);
    const { provenance, ...rest } = JSON.parse(report.stdout);
    expect(rest.status).toBe(status);
    expect(provenance.verification).toMatchObject({ verdict: 'not_chained' });
    const verified = await inFolder('verify', file);
    expect(verified.code).toBe(3);
    expect(verified.stdout).toContain('cannot be verified: written by krisis 0.1.0');
    expect(bytes(file).equals(before)).toBe(true);
  });

  it('is not continued where records were asked in another order, and not changed by that', async () => {
    const before = bytes('interrupted.db');
    const { code, stderr } = await inFolder(
      ...STAGING,
      ...['--model', 'simulated/careful?latency_ms=600', '--run', 'interrupted.db'],
    );
    expect(code).toBe(2);
    expect(stderr).toContain('order: null there, "keyed_hash" now');
    expect(bytes('interrupted.db').equals(before)).toBe(true);
  });

  it.each(FILES)('%s is adopted when it is written to: not sealed before', (file) => {
    const path = join(folder, `adopted-${file}`);
    cpSync(join(folder, file), path);
    RunFile.write(path).close();
    const { verdict, adoptedAt, seals, entries, textsNotChecked } = verifyRun(path);
    expect([verdict, seals, textsNotChecked]).toEqual(['verified', 0, 0]);
    expect(Date.now() - Date.parse(adoptedAt!)).toBeLessThan(60_000);
    RunFile.write(path).close();
    expect(verifyRun(path).entries).toBe(entries);
  });

  it('is judged again, and sealed', async () => {
    const { code, stderr } = await inFolder(
      'judge',
      'questions.db',
      '--judge',
      'baseline/lexical',
      '--passes',
      '2',
    );
    expect([code, stderr]).toEqual([0, '']);
    const { code: verified, stdout } = await inFolder('verify', 'questions.db');
    expect(verified).toBe(0);
    expect(stdout).toMatch(/verified: .*\n {2}sealed [\s\S]*not sealed before 20/);
  });
});
