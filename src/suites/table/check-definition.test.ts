import { expect, it } from 'vitest';
import { KrisisError } from '../../core/errors.ts';
import { checkDefinition } from './check-definition.ts';

const good = { name: 'own/x', file: 'x.csv', label: 'dx', instructions: 'Answer.' };
const check = (more: Record<string, unknown>) => () => checkDefinition({ ...good, ...more });

it('fills in the defaults', () => {
  expect(checkDefinition(good)).toEqual({
    ...good,
    metadata: [],
    groups: [],
    missing: ['NA', 'N/A', '?', 'null'],
    sensitivity: 'protected',
    seed: 42,
    provenance: {},
  });
});

it('takes columns as a list or an object, and an endpoint by its name', () => {
  expect(checkDefinition({ ...good, columns: ['b', 'a'] }).columns).toEqual({ b: {}, a: {} });
  expect(checkDefinition({ ...good, columns: { a: null } }).columns).toEqual({ a: {} });
  expect(checkDefinition({ ...good, primaryEndpoint: 'accuracy' }).primaryEndpoint).toEqual({
    metric: 'accuracy',
  });
});

it('names the known keys when one is unknown', () => {
  expect(check({ lable: 'dx' })).toThrow(
    'defineTableSuite: unknown key "lable" (did you mean label?); the known keys are name, file, folder, columns, label,',
  );
  expect(check({ columns: { a: { unti: 'mg' } } })).toThrow(
    'unknown key "unti" in columns.a (did you mean unit?); the known keys are name, unit, type',
  );
  expect(check({ primaryEndpoint: { metrc: 'accuracy' } })).toThrow('the known keys are metric, arm, why');
});

it.each<[string, Record<string, unknown>, string]>([
  ['a missing key', { label: undefined }, 'label is not given; expected the name of a column'],
  ['a name with blanks', { name: 'my suite' }, 'name is "my suite"; expected a name of letters'],
  [
    'a column twice',
    { columns: ['a', 'a'] },
    'columns is ["a","a"]; expected a list of different column names',
  ],
  ['no columns', { columns: [] }, 'columns is []; expected at least one column'],
  ['a wrong type', { columns: { a: { type: 'int' } } }, 'columns.a.type is "int"; expected number or text'],
  ['one label', { labels: ['a'] }, 'labels is ["a"]; expected at least two labels'],
  ['labels alike', { labels: ['a', 'A '] }, 'expected labels that differ by more than letter case'],
  ['true as a label', { labels: [true, false] }, 'labels.0 is true; expected text or a whole number'],
  ['a fraction of a label', { labels: [1, 1.5] }, 'labels.1 is 1.5; expected text or a whole number'],
  ['a test size of 1.5', { testSize: 1.5 }, 'testSize is 1.5; expected a share between 0 and 1'],
  ['another sensitivity', { sensitivity: 'secret' }, 'expected synthetic, public or protected'],
])('refuses %s', (_, more, message) => {
  expect(check(more)).toThrow(KrisisError);
  expect(check(more)).toThrow(message);
});

it('says all at once', () => {
  const message = (() => {
    try {
      return String(check({ label: 3, seed: 'x' })());
    } catch (error) {
      return (error as Error).message;
    }
  })();
  expect(message.split('\n')).toHaveLength(3);
});
