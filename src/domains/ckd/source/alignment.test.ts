import { describe, expect, it } from 'vitest';
import { align } from './alignment.ts';
import { UCI_FEATURES } from './columns.ts';
import { readHeader } from './header.ts';

const { slots } = readHeader([...UCI_FEATURES.map(({ name }) => name), 'class'], 1);
// age bp sg al su | rbc pc pcc ba | bgr bu sc sod pot | hemo pcv wbcc rbcc | htn dm cad appet pe ane | class
const ROW =
  '50,80,1.015,1,0,,normal,notpresent,notpresent,120,40,1.4,,,12.5,38,7100,4.4,no,yes,no,good,no,no,ckd'.split(
    ',',
  );
// Like the published rows with a field too many, as far as these are known; the rest is made up.
const LIKE_70 =
  '26,70,1.015,0,4,,normal,present,notpresent,250,20,1.1,140,4.1,15.6,50,6900,5.1,yes,yes,no,poor,no,no,ckd'.split(
    ',',
  );
const LIKE_370 =
  '75,70,1.020,0,0,normal,normal,notpresent,notpresent,107,48,0.8,144,3.9,13.6,44,10300,4.6,no,no,no,good,no,no,notckd'.split(
    ',',
  );
const DM = 19;

function repaired(fields: string[]) {
  const aligned = align(fields, slots, 9);
  if ('problem' in aligned) throw new Error(aligned.problem.expected);
  return aligned;
}

describe('align', () => {
  it('takes a good row as it is', () => {
    expect(repaired(ROW)).toMatchObject({
      repair: null,
      row: { class: 'ckd', values: { age: 50, rbc: null } },
    });
  });

  it('drops an empty field at the end', () => {
    for (const extra of [[''], ['', ' ', '\t']]) {
      const aligned = repaired([...ROW, ...extra]);
      expect(aligned.row.values).toEqual(repaired(ROW).row.values);
      expect(aligned.repair).toMatchObject({ line: 9, kind: 'trailing_empty_field' });
    }
  });

  it('mends a doubled comma where one repair fits, refuses where two do, and is never wrong', () => {
    const refused: number[] = [];
    for (let at = 0; at < ROW.length; at += 1) {
      const aligned = align(ROW.toSpliced(at, 0, ''), slots, 9);
      if ('problem' in aligned) refused.push(at);
      else expect(aligned.row).toEqual(repaired(ROW).row);
    }
    // After the pus cells, "normal" could be the red cells'; after haemoglobin, 12.5 could be potassium.
    expect(refused).toEqual([7, 15]);
    expect(repaired(ROW.toSpliced(DM, 0, '')).repair).toMatchObject({ kind: 'doubled_comma', column: 'dm' });
  });

  it('never takes a question mark for a doubled comma', () => {
    const aligned = align(ROW.toSpliced(DM, 0, '?'), slots, 9);
    expect(aligned).toEqual({
      problem: { line: 9, column: null, value: '26 fields', expected: '25 fields, as in the header' },
    });
  });

  it('undoes a shift to the left where one repair fits', () => {
    const withoutAppetite = ROW.with(21, '');
    const shifted = [...withoutAppetite.toSpliced(21, 1), ''];
    expect(repaired(shifted)).toMatchObject({
      repair: { kind: 'shifted_left', column: 'appet' },
      row: { class: 'ckd', values: { appet: null, cad: 'no', pe: 'no' } },
    });
  });

  it('never undoes a shift to the left wrongly', () => {
    for (let at = 0; at < ROW.length - 1; at += 1) {
      const gap = ROW.with(at, '');
      const aligned = align([...gap.toSpliced(at, 1), ''], slots, 9);
      if (!('problem' in aligned)) expect(aligned.row).toEqual(repaired(gap).row);
    }
  });

  it('lets the published file decide where two repairs fit', () => {
    // "normal" may belong to the red cells or to the pus cells
    const shifted = [...LIKE_70.toSpliced(5, 1), ''];
    expect(repaired(shifted)).toMatchObject({
      repair: { kind: 'shifted_left', column: 'rbc' },
      row: { class: 'ckd', values: { rbc: null, pc: 'normal', bgr: 250 } },
    });
    const unknown = [...LIKE_70.with(0, '27').toSpliced(5, 1), ''];
    expect(align(unknown, slots, 9)).toMatchObject({
      problem: { line: 9, expected: expect.stringContaining('can be repaired in 2 ways') },
    });
  });

  it('restores the class that a shift to the right cut off, only as published', () => {
    for (const gap of ['', '?']) {
      const shifted = LIKE_370.toSpliced(DM, 0, gap).slice(0, 25);
      expect(shifted.slice(-4)).toEqual(['no', 'good', 'no', 'no']);
      expect(repaired(shifted)).toMatchObject({
        repair: { kind: 'shifted_right', column: 'dm' },
        row: { class: 'notckd', values: { dm: 'no', appet: 'good', pe: 'no', ane: 'no' } },
      });
    }
    const unknown = LIKE_370.with(0, '74').toSpliced(DM, 0, '').slice(0, 25);
    expect(align(unknown, slots, 9)).toHaveProperty('problem');
  });

  it('leaves a row with another fault unchanged, and names the fault', () => {
    expect(repaired(ROW.with(0, 'old'))).toMatchObject({
      repair: null,
      row: { problems: [{ column: 'age', value: 'old' }] },
    });
    expect(repaired([...ROW.with(0, 'old'), ''])).toMatchObject({ row: { problems: [{ column: 'age' }] } });
    expect(repaired(ROW.with(24, ''))).toMatchObject({
      repair: null,
      row: { problems: [{ column: 'class' }] },
    });
  });

  it('refuses rows that are too short or too long', () => {
    expect(align(ROW.slice(1), slots, 9)).toMatchObject({ problem: { value: '24 fields' } });
    expect(align([...ROW, 'x', 'y'], slots, 9)).toMatchObject({ problem: { value: '27 fields' } });
  });
});
