import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/engine-fixture.ts';
import { HOSTILE } from '../../test/viewer-hostile.ts';
import { filesOfRun, removeRun } from './remove-run.ts';
import { changeNotes, MAX_NOTE, NO_NOTES, notesPath, readNotes } from './run-notes.ts';
import { WriterLock } from './writer-lock.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
let run: string;
let n = 0;
beforeEach(() => {
  run = folder.file(`run-${n++}.db`);
  writeFileSync(run, 'x', { mode: 0o600 });
});

const wrong = (text: string) =>
  expect.objectContaining({ code: 'ERR_RUN_NOTES', message: expect.stringContaining(text) });

describe('notes on a run', () => {
  it('are empty without a file', () => {
    expect(readNotes(run)).toEqual(NO_NOTES);
    changeNotes(run, { hidden: false });
    expect(existsSync(notesPath(run))).toBe(false);
  });

  it('change field by field, and vanish with the last', () => {
    changeNotes(run, { name: ' First  try\n', tags: ['a', 'b', 'a'] });
    expect(changeNotes(run, { note: 'two\nlines ' })).toEqual({
      name: 'First try',
      note: 'two\nlines',
      tags: ['a', 'b'],
      hidden: false,
    });
    expect(readNotes(run)).toEqual(changeNotes(run, {}));
    expect(statSync(notesPath(run)).mode & 0o777).toBe(0o600);
    changeNotes(run, { name: '', note: null, tags: [] });
    expect(existsSync(notesPath(run))).toBe(false);
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('keep hostile text as text', () => {
    changeNotes(run, { note: HOSTILE });
    expect(readNotes(run).note).toBe(HOSTILE);
    expect(JSON.parse(readFileSync(notesPath(run), 'utf8')).note).toBe(HOSTILE);
  });

  it('refuse what is too long, and fields that do not exist', () => {
    expect(() => changeNotes(run, { note: 'x'.repeat(MAX_NOTE + 1) })).toThrow(wrong('note'));
    expect(() => changeNotes(run, { tags: [' '] })).toThrow(wrong('tags'));
    expect(() => changeNotes(run, { tags: Array.from({ length: 51 }, (_, i) => `t${i}`) })).toThrow(
      wrong('tags'),
    );
    expect(() => changeNotes(run, { tags: ['a,b'] })).toThrow(wrong('without commas'));
    expect(() => changeNotes(run, { colour: 'red' } as object)).toThrow(wrong('colour'));
    expect(existsSync(notesPath(run))).toBe(false);
  });

  it('refuse files that are not notes', () => {
    const path = notesPath(run);
    writeFileSync(path, '{');
    expect(() => readNotes(run)).toThrow(wrong('is not JSON'));
    writeFileSync(path, '{"format":"krisis-notes-1","hidden":1}');
    expect(() => readNotes(run)).toThrow(wrong('hidden'));
    writeFileSync(path, ' '.repeat(3_000_000));
    expect(() => readNotes(run)).toThrow(wrong('larger than'));
    const link = folder.file('link.db');
    symlinkSync(run, notesPath(link));
    expect(() => readNotes(link)).toThrow(wrong('not a regular file'));
  });

  it('hold the longest texts that are allowed', () => {
    const note = '\u0001'.repeat(MAX_NOTE);
    changeNotes(run, { note });
    expect(readNotes(run).note).toBe(note);
  });
});

describe('removeRun', () => {
  it('removes the run with everything beside it, and nothing else', () => {
    const other = folder.file('another.db');
    writeFileSync(other, 'x');
    changeNotes(run, { hidden: true });
    const beside = ['review.db', 'looks.json'].map((end) => run.replace('db', end));
    for (const path of [...beside, `${run}-wal`]) writeFileSync(path, '');
    expect(removeRun(run).sort()).toEqual([run, `${run}-wal`, notesPath(run), ...beside].sort());
    expect(filesOfRun(run)).toEqual([]);
    expect(existsSync(other)).toBe(true);
  });

  it('refuses a run that is being written', () => {
    const lock = WriterLock.take(run);
    expect(() => removeRun(run)).toThrow(expect.objectContaining({ code: 'ERR_RUN_BUSY' }));
    lock.release();
    expect(existsSync(run)).toBe(true);
  });
});
