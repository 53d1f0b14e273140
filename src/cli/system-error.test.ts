import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { KrisisError } from '../core/errors.ts';
import { systemErrorText, withPath } from './errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-system-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'file');
writeFileSync(file, '');

const textOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return systemErrorText(error);
  }
  return 'it worked';
};

it('says of real errors where they are and what to do', () => {
  expect(textOf(() => readFileSync(join(folder, 'none')))).toBe(
    `${join(folder, 'none')}: there is no such file or folder; check the path (ENOENT)`,
  );
  expect(textOf(() => writeFileSync(folder, ''))).toContain('it is a folder where a file is expected');
  expect(textOf(() => readFileSync(join(file, 'x')))).toContain('a part of its path is a file');
  expect(textOf(() => mkdirSync(file))).toContain('it is a file where a folder is expected');
  expect(textOf(() => readdirSync(file))).toContain('it is a file where a folder is expected');
  expect(textOf(() => readFileSync('\0'))).toContain('cannot hold a zero byte');
  expect(textOf(() => writeFileSync(join(folder, 'x'.repeat(300)), ''))).toContain('its name is too long');
});

it.each(['EACCES', 'EISDIR', 'ENOENT', 'ENOTDIR', 'EROFS', 'ENOSPC', 'EEXIST', 'EMFILE', 'EPERM'])(
  'has words for %s, and shows the file that a temporary one becomes',
  (code) => {
    const error = Object.assign(new Error('SECRET'), {
      code,
      syscall: 'open',
      path: '.a.html.partial-0123456789abcdef/a.html',
    });
    expect(systemErrorText(error)).toMatch(new RegExp(`^a\\.html: .*; .* \\(${code}\\)$`));
  },
);

it('leaves other errors alone', () => {
  expect(systemErrorText(new KrisisError('x'))).toBeNull();
  expect(systemErrorText(new TypeError('x'))).toBeNull();
  expect(systemErrorText(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBeNull();
  expect(
    systemErrorText(Object.assign(new Error('x'), { code: 'ECONNREFUSED', syscall: 'connect' })),
  ).toBeNull();
});

it('adds the path to an error of reading', () => {
  const error = Object.assign(new Error('x'), { code: 'EISDIR', syscall: 'read' });
  expect(systemErrorText(error)).toBe(
    'a file: it is a folder where a file is expected; name a file (EISDIR)',
  );
  expect(systemErrorText(withPath(error, 'dir'))).toContain('dir: it is a folder');
});
