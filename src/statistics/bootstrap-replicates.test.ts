import { describe, expect, test } from 'vitest';
import { bootstrapReplicates, clusterReplicates, pairedDifferenceReplicates } from './bootstrap.ts';

describe('bootstrapReplicates', () => {
  const values = [4, 0, 8];

  test('each statistic on the drawn values', () => {
    const drawn = [
      [0, 0, 2],
      [1, 1, 1],
    ];
    expect(bootstrapReplicates(values, drawn)).toEqual([16 / 3, 0]);
    expect(bootstrapReplicates(values, drawn, 'median')).toEqual([4, 0]);
    expect(bootstrapReplicates(values, drawn, 'sum')).toEqual([16, 0]);
    expect(bootstrapReplicates(values, drawn, (sample) => sample[2]!)).toEqual([8, 0]);
  });

  test('no resamples, an empty resample, a statistic that is undefined', () => {
    expect(bootstrapReplicates(values, [])).toEqual([]);
    expect(bootstrapReplicates(values, [[]], 'sum')).toEqual([null]);
    expect(bootstrapReplicates(values, [[0]], () => null)).toEqual([null]);
  });

  test('a position that does not exist is an error, not NaN', () => {
    expect(() => bootstrapReplicates(values, [[3]])).toThrow('index 3 was drawn from 3 values');
    expect(() => bootstrapReplicates(values, [[-1]])).toThrow('index -1');
  });
});

describe('clusterReplicates', () => {
  const values = [1, 0, 1, 1, 0, 1];
  const clusters = ['p1', 'p1', 'p2', 'p3', 'p3', 'p3'];

  test('whole clusters, divided by the rows drawn', () => {
    expect(clusterReplicates(values, clusters, [['p2', 'p2', 'p1'], ['p3']])).toEqual([0.75, 2 / 3]);
    expect(clusterReplicates(values, clusters, [['p2', 'p2', 'p1']], 'sum')).toEqual([3]);
  });

  test('clusters may be numbers, and their rows need not stand together', () => {
    expect(clusterReplicates([1, 0, 1], [7, 8, 7], [[7], [8, 7]])).toEqual([1, 2 / 3]);
  });

  test('unknown cluster, missing cluster', () => {
    expect(() => clusterReplicates(values, clusters, [['p4']])).toThrow('"p4" was drawn');
    expect(() => clusterReplicates(values, ['p1'], [])).toThrow('clusters has 1');
  });
});

describe('pairedDifferenceReplicates', () => {
  test('the same records are drawn for both', () => {
    expect(pairedDifferenceReplicates([1, 1, 0], [0, 1, 1], [[0, 0], [2], [0, 2]])).toEqual([1, -1, 0]);
  });

  test('lists of different length are refused', () => {
    expect(() => pairedDifferenceReplicates([1], [1, 0], [])).toThrow('scoresB has 2');
  });
});
