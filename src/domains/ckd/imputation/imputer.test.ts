import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KrisisError } from '../../../core/errors.ts';
import { createRandom, shuffle } from '../../../statistics/random.ts';
import { UCI_FEATURES, type UciColumn, type UciValue, uciColumn } from '../source/columns.ts';
import type { FeatureRow } from './feature-row.ts';
import { fitImputer } from './imputer.ts';

type Values = Record<'hemo' | 'pcv' | 'al' | 'ane', UciValue>;
interface Row extends FeatureRow {
  readonly id: string;
  readonly class: string;
  readonly values: Values;
}

const COLUMNS = (['hemo', 'pcv', 'al', 'ane'] as const).map(uciColumn);
const NAMES = ['hemo', 'pcv', 'al', 'ane'] as const;

/** Packed cells are three times haemoglobin; anaemia is haemoglobin below 10; albumin goes its own way. */
function people(n: number, seed: number, missing: number): Row[] {
  const random = createRandom(seed);
  return Array.from({ length: n }, (_, i) => {
    const hemo = 6 + random.integer(100) / 10;
    const values: Values = {
      hemo,
      pcv: Math.round(3 * hemo),
      al: random.integer(6),
      ane: hemo < 10 ? 'yes' : 'no',
    };
    for (const name of NAMES) if (random.float() < missing) values[name] = null;
    return { id: String(i), class: random.integer(2) === 0 ? 'ckd' : 'notckd', values };
  });
}

const train = people(120, 1, 0.2);
const test = people(40, 2, 0.4);
const imputer = fitImputer(train, COLUMNS, { seed: 42 });
const filled = imputer.apply(test);

describe('what is filled', () => {
  it('is every gap and nothing else, and each is marked', () => {
    test.forEach((row, i) => {
      expect(filled.imputed[i]).toEqual(NAMES.filter((name) => row.values[name] === null));
      for (const name of NAMES) {
        expect(filled.rows[i]!.values[name]).not.toBeNull();
        if (row.values[name] !== null) expect(filled.rows[i]!.values[name]).toBe(row.values[name]);
      }
      expect(filled.rows[i]).toMatchObject({ id: row.id, class: row.class });
    });
  });

  it('was observed in the training part', () => {
    for (const name of NAMES) {
      const observed = new Set(train.map(({ values }) => values[name]));
      filled.rows.forEach(({ values }, i) => {
        if (filled.imputed[i]!.includes(name)) expect(observed).toContain(values[name]);
      });
    }
  });

  it('follows from what is known', () => {
    const known = [{ values: { hemo: 8, al: 0 } }, { values: { hemo: 15, al: 0 } }];
    const [low, high] = imputer.apply(known).rows as FeatureRow[];
    expect(low!.values.ane).toBe('yes');
    expect(high!.values.ane).toBe('no');
    expect(Math.abs(Number(low!.values.pcv) - 24)).toBeLessThan(4);
    expect(Math.abs(Number(high!.values.pcv) - 45)).toBeLessThan(4);
  });

  it('leaves other columns and the rows given alone', () => {
    const row = { values: { hemo: null, pot: null } };
    expect(imputer.apply([row]).rows[0]!.values.pot).toBeNull();
    expect(imputer.apply([row]).imputed).toEqual([['hemo', 'pcv', 'al', 'ane']]);
    expect(row).toEqual({ values: { hemo: null, pot: null } });
  });
});

describe('what decides', () => {
  it('is not the other rows given: any of them, changed or removed', () => {
    const rows = people(12, 3, 0.4);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 39 }),
        fc.subarray(rows),
        fc.nat({ max: 12 }),
        (i, others, place) => {
          const among = [...others.slice(0, place), test[i]!, ...others.slice(place)];
          const at = Math.min(place, others.length);
          expect(imputer.apply(among).rows[at]).toEqual(filled.rows[i]);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is not what was applied before: applying learns nothing', () => {
    const fresh = fitImputer(train, COLUMNS, { seed: 42 });
    fresh.apply(people(60, 9, 0.5));
    expect(fresh.apply(test)).toEqual(filled);
  });

  it('is not the id, nor the place of a training row', () => {
    const renamed = test.map((row, i) => ({ ...row, id: `p${i * 7}` }));
    expect(imputer.apply(renamed).rows.map(({ values }) => values)).toEqual(
      filled.rows.map(({ values }) => values),
    );
    const shuffled = shuffle(createRandom(8), [...train]);
    expect(fitImputer(shuffled, COLUMNS, { seed: 42 }).apply(test)).toEqual(filled);
  });

  it('is the training part, the seed, and the row itself', () => {
    const values = (rows: readonly Row[], seed: number) =>
      fitImputer(rows, COLUMNS, { seed })
        .apply(test)
        .rows.map((row) => row.values);
    const before = filled.rows.map((row) => row.values);
    expect(values(train, 42)).toEqual(before);
    expect(values(train, 43)).not.toEqual(before);
    expect(values(train.slice(1), 42)).not.toEqual(before);
  });
});

describe('the label', () => {
  it('is not read in training: not even looked at', () => {
    const guarded = train.map(({ id, values }) => ({
      id,
      values,
      get class(): string {
        throw new Error('the label was read');
      },
    }));
    expect(fitImputer(guarded, COLUMNS, { seed: 42 }).apply(test)).toEqual(filled);
  });

  it('does not matter in what is applied to', () => {
    const flipped = test.map((row) => ({ ...row, class: row.class === 'ckd' ? 'notckd' : 'ckd' }));
    expect(imputer.apply(flipped).rows.map(({ values }) => values)).toEqual(
      filled.rows.map(({ values }) => values),
    );
  });

  it('cannot be a column, nor be among the values', () => {
    const label: UciColumn = {
      kind: 'categorical',
      name: 'class',
      label: 'class',
      unit: null,
      allowed: ['ckd', 'notckd'],
      synonyms: {},
    };
    const planted = train.map((row) => ({ ...row, values: { ...row.values, class: row.class } }));
    expect(() => fitImputer(planted, [...COLUMNS, label], { seed: 1 })).toThrow('"class" is not a feature');
    expect(() => fitImputer(train, [...COLUMNS, label], { seed: 1 })).toThrow('"class" is not a feature');
    expect(() => fitImputer(planted, COLUMNS, { seed: 1 })).toThrow('"class" is not a feature');
    expect(() => imputer.apply(planted)).toThrow('"class" is not a feature');
  });
});

describe('what is refused', () => {
  it('is a column that no training row has', () => {
    const without = train.map((row) => ({ ...row, values: { ...row.values, al: null } }));
    expect(() => fitImputer(without, COLUMNS, { seed: 1 })).toThrow(
      /column "al" \(urine albumin.*\) is missing in all 120 training rows/,
    );
  });

  it.each<[string, () => unknown]>([
    ['no rows', () => fitImputer([], COLUMNS, { seed: 1 })],
    ['no iteration', () => fitImputer(train, COLUMNS, { seed: 1, iterations: 0 })],
    ['half a donor', () => fitImputer(train, COLUMNS, { seed: 1, donors: 0.5 })],
    ['a seed between', () => fitImputer(train, COLUMNS, { seed: 1.5 })],
    ['an unknown word', () => imputer.apply([{ values: { ane: 'perhaps' } }])],
  ])('is %s', (_, attempt) => {
    expect(attempt).toThrow(KrisisError);
  });
});

it('works with a single row, and with all 24 features', () => {
  const values = Object.fromEntries(
    UCI_FEATURES.map((column) => [column.name, column.kind === 'numeric' ? 5 : column.allowed[0]]),
  );
  expect(fitImputer([{ values }], UCI_FEATURES, { seed: 1 }).apply([{ values: {} }]).rows).toEqual([
    { values },
  ]);
});
