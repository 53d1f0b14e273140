import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/engine-fixture.ts';
import { findRun } from './find-run.ts';
import { runNames } from './list-runs.ts';
import { RunFile } from './run-file.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

beforeAll(() => {
  aRun('old_x.db', '2026-01-01');
  aRun('ckd_a.db', '2026-01-02');
  aRun('ckd_b.db', '2026-01-04');
  aRun('my_ckd_b.db', '2026-01-03');
});

function aRun(name: string, created: string, inFolder = folder.path): void {
  const file = RunFile.write(join(inFolder, name));
  file.setManifest({
    model: 'm',
    suiteName: 's',
    createdAt: created,
    status: 'complete',
    identity: { repeats: 1 },
  });
  file.close();
}

const find = (typed: string) => findRun(typed, folder.path);

describe('findRun', () => {
  it('takes a path, a name, or a part that only one run has', () => {
    const path = folder.file('old_x.db');
    for (const typed of [path, 'old_x.db', 'old_x', 'old', 'd_x']) expect(find(typed)).toBe(path);
  });

  it('prefers names that begin with what was typed over names that contain it', () => {
    expect(find('ckd_b')).toBe(folder.file('ckd_b.db'));
    expect(find('my')).toBe(folder.file('my_ckd_b.db'));
  });

  it('matches the names of runs, not the folder they are in', () => {
    expect(() => find(folder.path.split('/').at(-1)!)).toThrow('no such run');
  });

  it('knows the latest run', () => {
    expect(find('latest')).toBe(folder.file('ckd_b.db'));
  });

  it('looks in the folder of a path', () => {
    mkdirSync(folder.file('other'));
    aRun('new_y.db', '2026-02-01', folder.file('other'));
    const path = folder.file('other/new_y.db');
    for (const typed of ['other/new_y', 'other/new', 'other/latest'])
      expect(find(folder.file(typed))).toBe(path);
  });

  it('passes over a folder that has the name of a run', () => {
    mkdirSync(folder.file('old'));
    expect(find('old')).toBe(folder.file('old_x.db'));
  });

  it('lists the candidates of an ambiguous name', () => {
    expect(() => find('ckd')).toThrow(
      expect.objectContaining({
        code: 'ERR_RUN_AMBIGUOUS',
        message: `ckd: 2 runs match; name one of them:\n  ${folder.file('ckd_a.db')}\n  ${folder.file('ckd_b.db')}`,
      }),
    );
  });

  it('suggests a name that is near', () => {
    expect(() => find('odl_x')).toThrow(
      expect.objectContaining({
        code: 'ERR_RUN_NOT_FOUND',
        message: 'odl_x: no such run; did you mean old_x?',
      }),
    );
  });

  it('says no more where there are no runs', () => {
    mkdirSync(folder.file('empty'));
    for (const typed of ['old', 'latest'])
      expect(() => findRun(typed, folder.file('empty'))).toThrow(
        expect.objectContaining({ message: `${typed}: no such run` }),
      );
  });
});

it('lists the names of runs', () => {
  writeFileSync(folder.file('notes.txt'), '');
  expect(runNames(folder.path)).toEqual(['ckd_a', 'ckd_b', 'my_ckd_b', 'old_x']);
  expect(runNames(folder.file('nowhere'))).toEqual([]);
});
