import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { writeXpt } from '../../../test/write-xpt.ts';
import { nhanesClassificationSuite } from './hypertension-suite.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-bp-'));
afterAll(() => rmSync(folder, { recursive: true }));
function file(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const demo = file(
  'DEMO.csv',
  'SEQN,RIDAGEYR,RIAGENDR,RIDRETH3,RIDEXPRG\n1,50,1,3,.\n2,60,2,4,.\n3,30,2,1,1\n4,12,1,1,.\n5,70,1,3,.\n6,55,1,6,.\n',
);
const columns = ['SEQN', 'BPXSY1', 'BPXDI1', 'BPXSY2', 'BPXDI2', 'BPACSZ', 'BPXPULS'];
const bpx = file(
  'BPX.XPT',
  writeXpt(columns, [
    [1, 160, 100, 158, 98, 3, 1],
    [2, 160, 100, 158, 98, 4, 2],
    [3, 110, 66, 108, 64, 4, 1],
    [4, 110, 66, 108, 64, 3, 1],
    [5, 160, 100, 158, 98, 4, 1],
    [6, 120, 0, 118, null, 3, 1],
  ]),
);
const more = file('MORE.csv', 'SEQN,BMXARMC,BPQ050A\n1,28,2\n2,34,2\n3,33,2\n5,34,1\n6,28,2\n');

it('reads untreated adults of one visit, and counts who is left out', async () => {
  const suite = await nhanesClassificationSuite({ dataPath: `${demo},${bpx},${more}`, testSize: 1 });
  const rows = await suite.load();
  expect(rows.map(({ label, metadata }) => [label, metadata.should_abstain_reasons]).sort()).toEqual(
    [
      ['stage_2', []],
      [null, ['atrial_fibrillation']],
      [null, ['pregnancy']],
    ].sort(),
  );
  const { excluded, settings } = await suite.describe();
  expect(excluded!.map(({ reason }) => reason).sort()).toEqual([
    'no_reading',
    'takes_drugs_for_blood_pressure',
    'under_18',
  ]);
  expect(settings).toMatchObject({ source: 'nhanes', min_visits: 1 });
  for (const { instructions } of Object.values(suite.task.arms))
    expect(instructions).toContain('Take it that a second visit gave the same average.');
});

it('refuses two devices at once, and files without readings', async () => {
  const both = file('BPXO.csv', 'SEQN,BPXOSY1,BPXODI1\n1,150,90\n');
  await expect(nhanesClassificationSuite({ dataPath: `${demo},${bpx},${both}` })).rejects.toMatchObject({
    code: 'ERR_DATA_FILE',
    message: expect.stringContaining('not mixed'),
  });
  await expect(nhanesClassificationSuite({ dataPath: demo })).rejects.toThrow('no readings');
});
