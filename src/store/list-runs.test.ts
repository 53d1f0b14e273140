import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { recordsOf, response, temporaryFolder } from '../../test/engine-fixture.ts';
import type { RunStatus } from '../core/states.ts';
import { listRuns } from './list-runs.ts';
import { RunFile } from './run-file.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

function aRun(name: string, created: string, status: RunStatus, answered: string): RunFile {
  const file = RunFile.write(folder.file(name));
  file.setManifest({ model: 'm', suiteName: 's', createdAt: created, status, identity: { repeats: 2 } });
  file.records.enter(
    recordsOf('abc').map((record, i) => [i, record] as const),
    false,
  );
  file.rows.enter([...answered].map((id) => ({ id, repeat: 0, state: 'answered' as const, ...response() })));
  return file;
}

describe('listRuns', () => {
  it('has nothing to say of a folder that is not there', () => {
    expect(listRuns(folder.file('nowhere'))).toEqual({ runs: [], unreadable: [] });
  });

  it('lists runs, newest first, what became of them, and the files that are none', () => {
    aRun('old_x.db', '2026-01-01', 'complete', 'abc').close();
    aRun('killed_x.db', '2026-01-02', 'running', 'ab').close();
    aRun('stopped_x.db', '2026-01-03', 'stopped', 'a').close();
    const writer = aRun('now_y.db', '2026-01-04', 'interrupted', '');
    writeFileSync(folder.file('broken.db'), 'not a run at all');
    const { runs, unreadable } = listRuns(folder.path);
    writer.close();
    expect(runs.map(({ path, status, nDone, n }) => [path, status, nDone, n])).toEqual([
      [folder.file('now_y.db'), 'running', 0, 6],
      [folder.file('stopped_x.db'), 'stopped', 1, 6],
      [folder.file('killed_x.db'), 'interrupted', 2, 6],
      [folder.file('old_x.db'), 'complete', 3, 6],
    ]);
    expect(runs[1]!.states).toEqual({ answered: 1 });
    expect(unreadable).toMatchObject([{ path: folder.file('broken.db') }]);
    expect(unreadable[0]!.error).toContain('cannot be opened as a run file');
  });
});
