import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writeXpt } from '../../../test/write-xpt.ts';
import { readNhanes } from './read-nhanes.ts';
import { readXpt } from './read-xpt.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-nhanes-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('readXpt', () => {
  it('reads numbers of any size and sign, and missing ones', () => {
    const rows = [
      [93703, 5.4, null, -0.125],
      [93704, 1e-7, 0, 123456.789],
      [93705, 35, 2, 1],
    ];
    const table = readXpt(writeXpt(['SEQN', 'LBXGH', 'LBXGLU', 'X'], rows))!;
    expect(table.columns).toEqual(['SEQN', 'LBXGH', 'LBXGLU', 'X']);
    expect(table.rows).toEqual(
      rows.map((row) => row.map((value) => (value === null ? null : expect.closeTo(value, 9)))),
    );
  });

  it('reads one column without taking the padding for rows', () => {
    expect(readXpt(writeXpt(['SEQN'], [[1], [2], [3]]))!.rows).toEqual([[1], [2], [3]]);
  });

  it('gives nothing for other files and for one that was cut off', () => {
    expect(readXpt(Buffer.from('SEQN,LBXGH\n1,5.4\n'))).toBeNull();
    expect(readXpt(Buffer.alloc(0))).toBeNull();
    expect(readXpt(writeXpt(['SEQN'], [[1]]).subarray(0, 700))).toBeNull();
  });
});

describe('readNhanes', () => {
  it('joins CSV and XPT files by SEQN, and keeps what was asked for', async () => {
    const demo = file(
      'DEMO_J.XPT',
      writeXpt(
        ['SEQN', 'RIDAGEYR'],
        [
          [2, 50],
          [1, 40],
          [3, null],
        ],
      ),
    );
    const lab = file('GHB_J.csv', 'seqn,LBXGH,note\n1,5.4,a\n2,.,b\n9,,c\n');
    const { rows, columns } = await readNhanes(`${demo}, ${lab}`, ['RIDAGEYR', 'LBXGH', 'LBXGLU']);
    expect(rows).toEqual([
      { seqn: 1, values: { RIDAGEYR: 40, LBXGH: 5.4 } },
      { seqn: 2, values: { RIDAGEYR: 50, LBXGH: null } },
      { seqn: 3, values: { RIDAGEYR: null } },
      { seqn: 9, values: { LBXGH: null } },
    ]);
    expect([...columns]).toEqual(['RIDAGEYR', 'LBXGH']);
  });

  it.each([
    ['a respondent twice', 'SEQN,LBXGH\n1,5\n1,6\n', 'each respondent once'],
    ['no SEQN', 'age,sex\n1,2\n', 'has no column SEQN'],
    [
      'the Pima table',
      'Pregnancies,Glucose,DiabetesPedigreeFunction,Outcome\n1,2,3,1\n',
      'onset within five years',
    ],
    ['the table of 130 hospitals', 'encounter_id,A1Cresult,readmitted\n1,>7,NO\n', 'readmission'],
  ])('refuses %s with the reason', async (name, text, reason) => {
    await expect(readNhanes(file(`${name}.csv`, text), ['LBXGH'])).rejects.toMatchObject({
      code: 'ERR_DATA_FILE',
      message: expect.stringContaining(reason),
    });
  });

  it('refuses a file that is not there, and one that only begins as a SAS transport file', async () => {
    await expect(readNhanes(join(folder, 'none.XPT'), [])).rejects.toMatchObject({
      code: 'ERR_FILE_UNREADABLE',
    });
    const broken = file('broken.XPT', writeXpt(['SEQN'], [[1]]).subarray(0, 700));
    await expect(readNhanes(broken, [])).rejects.toMatchObject({ code: 'ERR_DATA_FILE' });
  });
});
