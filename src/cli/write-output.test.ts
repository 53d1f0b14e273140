import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { KrisisError } from '../core/errors.ts';
import { checkOutput, writeOutput } from './write-output.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-output-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('writeOutput', () => {
  it('writes a text, and pieces of any size, as they come', async () => {
    const file = join(folder, 'pieces.txt');
    const pieces = Array.from({ length: 5000 }, (_, i) => `${i} ${'ä'.repeat(i % 97)}\n`);
    await writeOutput(pieces, file, false);
    expect(readFileSync(file, 'utf8')).toBe(pieces.join(''));
    await writeOutput('short', file, true);
    expect(readFileSync(file, 'utf8')).toBe('short');
    await writeOutput([], file, true);
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  it('asks for the next piece only when it is needed', async () => {
    let asked = 0;
    let written = 0;
    function* pieces() {
      for (; asked < 400; asked++) {
        written += 1;
        yield 'x'.repeat(1 << 16);
      }
    }
    const source = pieces();
    const file = join(folder, 'lazy.txt');
    const writing = writeOutput(source, file, false);
    expect(written).toBe(0);
    await writing;
    expect(readFileSync(file)).toHaveLength(400 << 16);
  });

  it('leaves an existing file alone unless forced', async () => {
    const file = join(folder, 'there.txt');
    writeFileSync(file, 'before');
    await expect(writeOutput('after', file, false)).rejects.toThrow(/already exists; .* --force/);
    expect(() => checkOutput(file, false)).toThrow(expect.objectContaining({ code: 'ERR_OUTPUT' }));
    expect(() => checkOutput(file, true)).not.toThrow();
    expect(() => checkOutput(undefined, false)).not.toThrow();
    expect(readFileSync(file, 'utf8')).toBe('before');
  });

  it('leaves everything as it was when a piece cannot be made', async () => {
    const file = join(folder, 'kept.txt');
    writeFileSync(file, 'before');
    function* failing() {
      yield 'x'.repeat(1 << 17);
      throw new KrisisError('no more rows');
    }
    await expect(writeOutput(failing(), file, true)).rejects.toThrow('no more rows');
    expect(readFileSync(file, 'utf8')).toBe('before');
    expect(readdirSync(folder).filter((name) => name.includes('.partial-'))).toEqual([]);
  });

  it('writes where no one else can have put a file or a link, whatever the process id is', async () => {
    const file = join(folder, 'guessed.txt');
    const precious = join(folder, 'precious');
    writeFileSync(precious, 'mine');
    symlinkSync(precious, `${file}.${process.pid}.tmp`);
    let during: readonly [name: string, mode: number][] = [];
    function* pieces() {
      yield 'x'.repeat(1 << 17);
      during = readdirSync(folder)
        .filter((name) => name.includes('.partial-'))
        .map((name) => [name, statSync(join(folder, name)).mode & 0o777]);
    }
    await writeOutput(pieces(), file, false);
    expect(during).toEqual([[expect.stringMatching(/^\.guessed\.txt\.partial-[0-9a-f]{16}$/), 0o700]]);
    expect(readFileSync(precious, 'utf8')).toBe('mine');
    expect(lstatSync(file).isFile()).toBe(true);
    rmSync(`${file}.${process.pid}.tmp`);
  });

  it.skipIf(process.platform === 'win32')('refuses a pipe or a device, also when forced', async () => {
    await expect(writeOutput('x', '/dev/null', true)).rejects.toThrow(/it is a pipe or a device/);
  });

  it('says when a file cannot be written', async () => {
    const file = join(folder, 'no', 'such', 'folder.txt');
    await expect(writeOutput('x', file, false)).rejects.toThrow(/cannot be written \(ENOENT\)/);
    await expect(writeOutput('x', folder, true)).rejects.toThrow(/cannot be written/);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`.${basename(folder)}.`))).toEqual([]);
  });
});
