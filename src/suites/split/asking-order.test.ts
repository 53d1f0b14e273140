import { describe, expect, it } from 'vitest';
import { askingOrder } from './asking-order.ts';

const records = (n: number, readCluster: (i: number) => string | null = () => null) =>
  Array.from({ length: n }, (_, i) => ({ id: `r${i}`, cluster: readCluster(i) }));

describe('askingOrder', () => {
  it('is a permutation that depends on the seed', () => {
    const one = askingOrder(records(100), 1);
    expect(one.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i));
    expect(one).not.toEqual(askingOrder(records(100), 2));
    expect(one).toEqual(askingOrder(records(100), 1));
  });

  it('keeps the order of records when others are added', () => {
    const known = new Set(Array.from({ length: 50 }, (_, i) => i));
    const later = askingOrder(records(80), 7).filter((position) => known.has(position));
    expect(later).toEqual(askingOrder(records(50), 7));
  });

  it('asks the records of a patient one after the other', () => {
    const findPatient = (i: number) => `p${i % 10}`;
    const patients = askingOrder(records(60, findPatient), 3).map(findPatient);
    const changes = patients.filter((patient, i) => i > 0 && patient !== patients[i - 1]).length;
    expect(changes).toBe(9);
  });

  it('puts the labels of a sorted file in no pattern', () => {
    // 250 of one class, then 150 of another, as in the UCI file: a batch of eight must not show the share of each class.
    const batches = Array.from({ length: 50 }, (_, b) =>
      askingOrder(records(400), 42)
        .slice(b * 8, b * 8 + 8)
        .map((position) => (position < 250 ? 'p' : 'a'))
        .join(''),
    );
    expect(new Set(batches).size).toBeGreaterThan(40);
    const counts = batches.map((batch) => batch.split('p').length - 1);
    expect(Math.min(...counts)).toBeLessThan(4);
    expect(Math.max(...counts)).toBeGreaterThan(6);
  });
});
