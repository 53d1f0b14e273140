import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { loadTableSuite } from './define-table-suite.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-table-'));
afterAll(() => rmSync(folder, { recursive: true }));
const root = resolve(import.meta.dirname, '../../..');
const example = join(root, 'examples/table-suite');

function yaml(text: string): string {
  const path = join(folder, 'suite.yaml');
  writeFileSync(path, text);
  return path;
}

const GOOD = 'name: own/x\nfile: x.csv\nlabel: dx\ninstructions: Answer.\n';

it('reads snake_case keys, and paths relative to the file', async () => {
  writeFileSync(join(folder, 'x.csv'), 'na,d,dx\n1,,a\n-999,yes,b\n2,no,a\n4,no,a\n');
  const path = yaml(
    `${GOOD}should_abstain: d\nmissing: [-999]\npositive_label: b\npack: detection\ntest_size: 2\nprimary_endpoint: accuracy\n`,
  );
  const suite = await loadTableSuite(path);
  expect(suite.task).toMatchObject({ positiveLabel: 'b', primaryEndpoint: { metric: 'accuracy' } });
  const records = [...(await suite.load()), ...(await suite.training!())];
  expect(records.map(({ features }) => features.na).sort()).toEqual([1, 2, 4, null]);
});

it('reads delimiter, decimal mark and encoding in words', async () => {
  writeFileSync(join(folder, 'x.csv'), 'na;dx\n1,5;a\n2,5;b\n');
  const suite = await loadTableSuite(yaml(`${GOOD}delimiter: semicolon\ndecimal: comma\nencoding: latin1\n`));
  expect((await suite.load())[0]!.features).toEqual({ na: 1.5 });
  await expect(loadTableSuite(yaml(`${GOOD}delimiter: colon\n`))).rejects.toThrow('delimiter is "colon"');
});

it('reads files below its own folder only, wherever links lead', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'krisis-outside-'));
  const inside = join(folder, 'suites');
  const path = join(inside, 'suite.yaml');
  const table = 'na,dx\n1,a\n2,b\n';
  try {
    mkdirSync(join(inside, 'data'), { recursive: true });
    for (const place of [outside, folder, join(inside, 'data')]) writeFileSync(join(place, 'x.csv'), table);
    writeFileSync(join(inside, '..x.csv'), table);
    symlinkSync(join(outside, 'x.csv'), join(inside, 'link.csv'));
    symlinkSync(outside, join(inside, 'linked'));
    symlinkSync(join(inside, 'data'), join(inside, 'near'));
    symlinkSync(inside, join(outside, 'suites'));
    const load = async (file: string, from = path, data?: string) => {
      writeFileSync(path, GOOD.replace('x.csv', file));
      return (await (await loadTableSuite(from, { data })).load()).length;
    };
    for (const file of ['../x.csv', join(outside, 'x.csv'), 'link.csv', 'linked/x.csv', 'data/../../x.csv'])
      await expect(load(file), file).rejects.toMatchObject({
        code: 'ERR_SUITE_FILE_OUTSIDE',
        message: expect.stringContaining('expected a file below'),
      });
    for (const file of ['data/x.csv', '..x.csv', 'near/x.csv', join(inside, 'data/x.csv')])
      expect([file, await load(file)]).toEqual([file, 2]);
    // The folder may itself be reached by a link.
    expect(await load('data/x.csv', join(outside, 'suites', 'suite.yaml'))).toBe(2);
    expect(await load('../x.csv', path, join(outside, 'x.csv'))).toBe(2);
    await expect(load('../none.csv')).rejects.toMatchObject({ code: 'ERR_SUITE_FILE_OUTSIDE' });
    await expect(load('none.csv')).rejects.toMatchObject({ code: 'ERR_FILE_UNREADABLE' });
  } finally {
    rmSync(outside, { recursive: true });
  }
});

it('refuses a typo with the known keys, in the spelling of the file', async () => {
  const known = 'the known keys are name, file, columns, label, labels, positive_label,';
  await expect(loadTableSuite(yaml(`${GOOD}positve_label: a\n`))).rejects.toThrow(
    `unknown key "positve_label" (did you mean positive_label?); ${known}`,
  );
  await expect(loadTableSuite(yaml(`${GOOD}positiveLabel: a\n`))).rejects.toThrow(
    'unknown key "positiveLabel"',
  );
  await expect(loadTableSuite(yaml(`${GOOD}folder: /tmp\n`))).rejects.toThrow('unknown key "folder"');
  await expect(loadTableSuite(yaml(`${GOOD}columns:\n  na: { untis: mg }\n`))).rejects.toThrow(
    'unknown key "untis" in columns.na',
  );
  await expect(loadTableSuite(yaml(`${GOOD}test_size: 1.5\n`))).rejects.toThrow('test_size is 1.5');
  await expect(loadTableSuite(yaml(`${GOOD}pack: detection\n`))).rejects.toThrow(
    'positive_label is not given',
  );
});

it('says why a file cannot be read', async () => {
  await expect(loadTableSuite(join(folder, 'none.yaml'))).rejects.toThrow('no such file');
  await expect(loadTableSuite(yaml('a: [1'))).rejects.toThrow('not YAML');
  await expect(loadTableSuite(yaml(`${GOOD}name: own/y\n`))).rejects.toThrow('not YAML');
  await expect(loadTableSuite(yaml('- a\n'))).rejects.toThrow(
    'expected at least name, file, label and instructions',
  );
});

it('gives the example from YAML and from TypeScript as one and the same suite', async () => {
  const { default: fromCode } = await import('../../../examples/table-suite/suite.ts');
  const fromYaml = await loadTableSuite(join(example, 'suite.yaml'));
  const description = await fromYaml.describe();
  expect(await fromCode.describe()).toEqual(description);
  expect(fromCode.task).toEqual(fromYaml.task);
  expect(description).toMatchObject({
    sensitivity: 'synthetic',
    nRecords: 40,
    deferral: { mustDefer: 7, mustAnswer: 27, unlabelled: 6 },
    primaryEndpoint: { metric: 'decision_accuracy' },
    warnings: [],
  });
});

it('has an example whose labels follow from what is shown', async () => {
  const suite = await loadTableSuite(join(example, 'suite.yaml'));
  for (const { id, features, label, metadata } of await suite.load()) {
    const sodium = features['Serum sodium (mmol/L)'] as number | null;
    const expected =
      sodium === null ? null : sodium < 135 ? 'hyponatraemia' : sodium > 145 ? 'hypernatraemia' : 'normal';
    expect([id, label]).toEqual([id, expected]);
    const spoilt =
      features['Blood sample'] !== 'venous, no drip' || Number(features['Serum glucose (mmol/L)']) > 30;
    expect([id, metadata.should_abstain === true]).toEqual([id, sodium === null || spoilt]);
  }
});
