import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { krisis } from './krisis.ts';

// Written apart from src/, in another language: what it finds in an export does not follow from our own code.
const SCRIPT = resolve('conformance/recompute.py');
const UCI = resolve('../shared/data/ckd/ckd_full.csv');
const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.warn('python3 is not installed: labels are not recomputed independently');

describe.skipIf(!hasPython)(
  'labels recomputed from an export (skipped where python3 is not installed)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'krisis-recompute-'));
    afterAll(() => rmSync(folder, { recursive: true }));

    async function exported(task: string, ...args: string[]): Promise<string> {
      const file = join(folder, `${crypto.randomUUID()}.jsonl`);
      const { code } = await krisis(['suite', 'export', task, '-o', file, ...args]);
      expect(code).toBe(0);
      return file;
    }
    const recompute = (task: string, file: string, ...args: string[]) => {
      const { status, stdout } = spawnSync('python3', [SCRIPT, task, file, ...args], { encoding: 'utf8' });
      return { status, last: stdout.trimEnd().split('\n').at(-1)!, stdout };
    };

    it.each([
      'ckd/detection',
      'ckd/staging',
      'ckd/progression',
      'diabetes/diagnosis',
      'diabetes/control',
      'diabetes/trend',
    ])('%s: no disagreement', async (task) => {
      expect(recompute(task, await exported(task))).toMatchObject({
        status: 0,
        last: `${task}: 1000 records, 0 disagree`,
      });
      const stricter = await exported(task, '--seed', '7', '--n-records', '200', '--defer-above', '0.1');
      expect(recompute(task, stricter, '--defer-above', '0.1')).toMatchObject({
        last: `${task}: 200 records, 0 disagree`,
      });
    });

    it.each([
      ['hypertension/classification', ['acc_aha_2025', 'esc_2024']],
      ['hypertension/phenotype', ['acc_aha_2025', 'esc_2024']],
      ['hypertension/treatment', ['acc_aha_2025']],
      ['hypertension/follow_up', ['acc_aha_2025', 'esc_2024']],
    ])('%s by %j: no disagreement', async (task, guidelines) => {
      for (const guideline of guidelines) {
        const file = await exported(task, '--guideline', guideline);
        expect(recompute(task, file).last).toBe(`${task}: 1000 records, 0 disagree`);
      }
    });

    it('hypertension/classification on NHANES rows: no disagreement', async () => {
      const data = join(folder, 'nhanes.csv');
      const header = 'SEQN,RIDAGEYR,RIAGENDR,RIDRETH3,BPXSY1,BPXDI1,BPXSY2,BPXDI2,BPACSZ,BMXARMC,BPXPULS';
      const rows = Array.from({ length: 200 }, (_, i) => {
        const [sbp, dbp] = [100 + 2 * ((i * 7) % 55), 56 + 2 * ((i * 5) % 28)];
        return [
          i + 1,
          20 + (i % 60),
          1 + (i % 2),
          3,
          sbp,
          dbp,
          sbp - 2,
          dbp,
          3 + (i % 3),
          24 + (i % 22),
          1 + Number(i % 9 === 0),
        ];
      });
      writeFileSync(data, `${header}\n${rows.map((row) => row.join(',')).join('\n')}\n`);
      const file = await exported('hypertension/classification', '--data', data, '--test-size', '1');
      expect(recompute('hypertension/classification', file).last).toContain('200 records, 0 disagree');
    });

    it('with 3a and 3b apart: no disagreement', async () => {
      const file = await exported('ckd/staging', '--split-stage-3');
      expect(recompute('ckd/staging', file, '--split-stage-3').last).toContain(' 0 disagree');
    });

    it.skipIf(!existsSync(UCI)).each(['ckd/detection', 'ckd/staging'])(
      '%s on the UCI file: no disagreement (skipped where ../shared/data/ckd is absent)',
      async (task) => {
        const file = await exported(task, '--data', UCI, '--n-synthetic', '50');
        expect(recompute(task, file).last).toBe(`${task}: 130 records, 0 disagree`);
      },
    );

    it('finds a label and a deferral label that were changed', async () => {
      const file = await exported('ckd/staging', '--n-records', '50');
      const records = readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      records[0].label = records[0].label === 1 ? 2 : 1;
      records[1].metadata.should_abstain = 'no';
      writeFileSync(file, records.map((record) => JSON.stringify(record)).join('\n'));
      const { status, last, stdout } = recompute('ckd/staging', file);
      expect([status, last]).toEqual([1, 'ckd/staging: 50 records, 2 disagree']);
      expect(stdout).toContain(`${records[0].id}: label is `);
      expect(stdout).toContain(`${records[1].id}: should_abstain is 'no'`);
    });

    it('shows nothing of an empty file, and refuses a task it does not know', () => {
      const empty = join(folder, 'empty.jsonl');
      writeFileSync(empty, '');
      expect(recompute('ckd/staging', empty).status).toBe(1);
      expect(recompute('demo/yes-no', empty).status).toBe(2);
    });
  },
);
