import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineSuite } from '../suites/define-suite.ts';
import { isQuestionSuite } from '../suites/questions/question-suite.ts';
import type { Suite } from '../suites/suite.ts';
import { BUILT_IN_SUITES, findSuite } from './find-suite.ts';

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
  it('has the tasks of every domain, each with a summary that names its labels', async () => {
    const names = BUILT_IN_SUITES.map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(['ckd/detection', 'ckd/staging', 'ckd/progression']);
    expect(names).toEqual(
      expect.arrayContaining(['diabetes/diagnosis', 'diabetes/control', 'diabetes/trend']),
    );
    for (const task of ['classification', 'phenotype', 'treatment', 'follow_up'])
      expect(names).toContain(`hypertension/${task}`);
    for (const { name, summary, create } of BUILT_IN_SUITES) {
      const suite = await create({});
      expect([suite.name, suite.task.id]).toEqual([name, name]);
      for (const label of [suite.task.labels[0]!, suite.task.labels.at(-1)!])
        expect(summary).toContain(String(label));
    }
  });
});

describe('findSuite', () => {
  it('gives a built-in suite its options', async () => {
    const suite = await findSuite('ckd/staging', { nRecords: 4, splitStage3: true });
    expect((suite as Suite).task.labels).toContain('3b');
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

  it('finds open questions by their name and by their file', async () => {
    const clinical = await findSuite('open/clinical', {});
    expect([clinical.task.kind, isQuestionSuite(clinical)]).toEqual(['text', true]);
    const file = await findSuite('examples/questions/questions.yaml', {});
    expect(isQuestionSuite(file) && file.questions.length).toBe(3);
    await expect(findSuite('none.jsonl', {})).rejects.toThrow('none.jsonl: no such file');
  });

  it('suggests the suite that was meant, or lists the known suites', async () => {
    const found = findSuite('ckd/stagin', {}, [suiteNamed('ward7/sodium')]);
    await expect(found).rejects.toMatchObject({ code: 'ERR_SUITE_NOT_FOUND' });
    await expect(found).rejects.toThrow('no suite "ckd/stagin"; did you mean ckd/staging?');
    await expect(findSuite('diabetis', {})).rejects.toThrow('no suite "diabetis"; did you mean diabetes?');
    await expect(findSuite('zzzzzzzzzz', {}, [suiteNamed('ward7/sodium')])).rejects.toThrow(
      `no suite "zzzzzzzzzz"; available: ${BUILT_IN_SUITES.map(({ name }) => name).join(', ')}, open/clinical, open/bcl2, ward7/sodium. A suite can also be a file`,
    );
  });

  it.each(['ward7/sodium', 'open/bcl2'])(
    'refuses options for %s, whose definition says all',
    async (name) => {
      const found = findSuite(name, { seed: 1, nRecords: 2 }, [suiteNamed('ward7/sodium')]);
      await expect(found).rejects.toMatchObject({ code: 'ERR_SUITE_OPTION' });
      await expect(found).rejects.toThrow(`suite "${name}" takes no options, but got seed, nRecords`);
    },
  );

  it('refuses an option that a built-in suite does not declare, with what it takes', async () => {
    await expect(findSuite('ckd/staging', { nRecrds: 4 })).rejects.toThrow(
      expect.objectContaining({
        code: 'ERR_SUITE_OPTION',
        message: expect.stringMatching(
          /takes no option nRecrds \(did you mean nRecords\?\); it takes dataPath, /,
        ),
      }),
    );
  });

  it.each([
    ['of a built-in suite', 'ckd/staging', [suiteNamed('ckd/staging')]],
    ['that is there twice', 'ward7/sodium', [suiteNamed('ward7/sodium'), suiteNamed('ward7/sodium')]],
  ])('does not guess which suite is meant by the name %s', async (_, name, own) => {
    const found = findSuite(name, {}, own);
    await expect(found).rejects.toMatchObject({ code: 'ERR_SUITE_AMBIGUOUS' });
    await expect(found).rejects.toThrow(`there are two suites "${name}"`);
  });
});
