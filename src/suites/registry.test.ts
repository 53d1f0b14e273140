import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineSuite } from './define-suite.ts';
import { BUILT_IN_SUITES, findSuite } from './registry.ts';
import type { Suite } from './suite.ts';

const suiteNamed = (name: string): Suite =>
  defineSuite({
    name,
    task: {
      id: name,
      labels: ['yes', 'no'],
      ordered: false,
      defaultArm: 'natural',
      arms: { natural: { instructions: 'Answer.' } },
      primaryEndpoint: { metric: 'accuracy', arm: 'natural', why: 'a demonstration' },
    },
    load: () => [],
  });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'krisis-registry-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('BUILT_IN_SUITES', () => {
  it('has the three CKD tasks, each with a summary that names its labels', () => {
    expect(BUILT_IN_SUITES.map(({ name }) => name)).toEqual([
      'ckd/detection',
      'ckd/staging',
      'ckd/progression',
    ]);
    for (const { name, summary, create } of BUILT_IN_SUITES) {
      const suite = create({});
      expect([suite.name, suite.task.id]).toEqual([name, name]);
      for (const label of [suite.task.labels[0]!, suite.task.labels.at(-1)!])
        expect(summary).toContain(String(label));
    }
  });
});

describe('findSuite', () => {
  it('gives a built-in suite its options', async () => {
    const suite = await findSuite('ckd/staging', { nRecords: 4, splitStage3: true });
    expect(suite.task.labels).toContain('3b');
    expect(await suite.load()).toHaveLength(4);
  });

  it('finds a suite of the config', async () => {
    const mine = suiteNamed('ward7/sodium');
    expect(await findSuite('ward7/sodium', {}, [suiteNamed('ward7/other'), mine])).toBe(mine);
  });

  it('finds a table suite by its file', async () => {
    await writeFile(join(folder, 'table.csv'), 'age,answer\n40,yes\n50,no\n');
    const path = join(folder, 'suite.yaml');
    await writeFile(
      path,
      'name: ward7/table\nfile: table.csv\ncolumns: [age]\nlabel: answer\ninstructions: Answer yes or no.\n',
    );
    const suite = await findSuite(path, {});
    expect([suite.name, (await suite.load()).length]).toEqual(['ward7/table', 2]);
  });

  it('names what there is when there is no such suite', async () => {
    await expect(findSuite('ckd/stagin', {}, [suiteNamed('ward7/sodium')])).rejects.toThrow(
      'no suite "ckd/stagin"; there are: ckd/detection, ckd/staging, ckd/progression, ward7/sodium,',
    );
  });

  it.each(['ward7/sodium', 'nowhere.yaml'])(
    'refuses options for %s, whose definition says all',
    async (name) => {
      await expect(findSuite(name, { seed: 1, nRecords: 2 }, [suiteNamed('ward7/sodium')])).rejects.toThrow(
        `suite "${name}" takes no option seed, nRecords`,
      );
    },
  );

  it.each([
    ['of a built-in suite', 'ckd/staging', [suiteNamed('ckd/staging')]],
    ['that is there twice', 'ward7/sodium', [suiteNamed('ward7/sodium'), suiteNamed('ward7/sodium')]],
  ])('does not guess which suite is meant by the name %s', async (_, name, own) => {
    await expect(findSuite(name, {}, own)).rejects.toThrow(`there are two suites "${name}"`);
  });
});
