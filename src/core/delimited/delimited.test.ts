import { describe, expect, it } from 'vitest';
import { decodeText, detectEncoding } from './decode-text.ts';
import { type DelimitedRow, detectDelimiter, fittingDelimiters, readFields } from './rows.ts';

/** As a file is read: each chunk takes the place of the one before. */
async function* pieces(bytes: Uint8Array, size = bytes.length) {
  const buffer = Buffer.alloc(size);
  for (let i = 0; i < bytes.length; i += size) {
    buffer.set(bytes.subarray(i, i + size));
    yield buffer.subarray(0, Math.min(size, bytes.length - i));
  }
}

async function decoded(bytes: Uint8Array, size?: number): Promise<string> {
  let text = '';
  for await (const part of decodeText(pieces(bytes, size), 'FILE')) text += part;
  return text;
}

const utf16 = (text: string, isBig: boolean) => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};

describe('decodeText', () => {
  const text = 'id,größe\n1,日本 😀\n';

  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 LE', utf16(`\uFEFF${text}`, false)],
    ['UTF-16 BE', utf16(`\uFEFF${text}`, true)],
    ['UTF-16 LE without a mark', utf16(text, false)],
    ['UTF-16 BE without a mark', utf16(text, true)],
  ])('reads %s, however it is cut', async (_, bytes) => {
    for (const size of [1, 2, 3, 5, 1000]) expect(await decoded(bytes, size)).toBe(text);
  });

  it('reads Windows-1252, also when its first letter beyond ASCII comes late or where a chunk ends', async () => {
    const bytes = Buffer.from('id,gr\xf6\xdfe\n1,\x80 5\n', 'latin1');
    for (const size of [1, 2, 6, 7, 8, 1000]) expect(await decoded(bytes, size)).toBe('id,größe\n1,€ 5\n');
  });

  it('ends every line in the same way, also where a chunk ends within a line break', async () => {
    for (const size of [1, 2, 3, 1000])
      expect(await decoded(Buffer.from('a\r\nb\rc\r\n\nd\r'), size)).toBe('a\nb\nc\n\nd\n');
  });

  it('refuses a file that is UTF-8 in one place and not in another', async () => {
    const bytes = Buffer.concat([Buffer.from('größe\n'), Buffer.from('gr\xf6sse\n', 'latin1')]);
    for (const size of [1, 4, 1000])
      await expect(decoded(bytes, size)).rejects.toMatchObject({ code: 'ERR_FILE_UNREADABLE' });
  });

  it('reads nothing from nothing', async () => {
    expect(await decoded(new Uint8Array())).toBe('');
    expect(detectEncoding(new Uint8Array())).toBe('utf-8');
  });
});

describe('readFields', () => {
  const readAllFields = async (text: string, size = 1000) => {
    const { rows, delimiter } = await readFields(decodeText(pieces(Buffer.from(text), size), 'FILE'), 'FILE');
    const read: DelimitedRow[] = [];
    for await (const row of rows) read.push(row);
    return { delimiter, rows: read };
  };

  it.each([
    [',', 'a,b\n1,"x;y"\n'],
    [';', 'a;b\n1;"x;y"\n'],
    ['\t', 'a\tb\r\n1\tx;y\r\n'],
    ['|', 'a|b\r1|x;y'],
  ])('detects the delimiter %j', async (delimiter, text) => {
    for (const size of [1, 3, 1000])
      expect(await readAllFields(text, size)).toEqual({
        delimiter,
        rows: [
          { line: 1, cells: ['a', 'b'] },
          { line: 2, cells: ['1', 'x;y'] },
        ],
      });
  });

  it('counts lines where a row begins, and leaves out lines without text', async () => {
    const { rows } = await readAllFields('a,b\n"x\ny",2\n,\n\n3,4\n');
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 6]);
  });

  it('says that a quotation mark is never closed', async () => {
    await expect(readAllFields('a,b\n"x,2\n3,4\n')).rejects.toMatchObject({ code: 'ERR_DATA_FILE' });
  });
});

describe('detectDelimiter', () => {
  it.each([
    ['"a,b,c";d;e', ';'],
    ['age,sex\n61,f\n', ','],
    ['age;temp;sex\n61;38,5;f\n62;37,0;m\n', ';'],
    ['age\ttemp\n61\t38,5\n', '\t'],
    ['age|note\n61|well, thanks; bye\n', '|'],
    ['age,why;how,sex\n61,none,f\n', ','],
    ['age,"a;b;c",sex\n61,"1;2;3",f\n', ','],
    ['age\n61\n', ','],
    ['', ','],
  ])('finds what separates the fields of %j', (text, delimiter) => {
    expect(detectDelimiter(text, 'FILE')).toBe(delimiter);
  });

  it('takes what is usual for the file where there is one column', () => {
    expect(fittingDelimiters('age\n61\n', '\t')).toEqual(['\t']);
  });

  it('asks where two delimiters fit', () => {
    const read = () => detectDelimiter('age;weight, kg;dx\n61;70,5;a\n', 'FILE');
    expect(read).toThrow('FILE: its fields could be separated by commas or semicolons; state the delimiter');
    expect(read).toThrow(expect.objectContaining({ code: 'ERR_FILE_AMBIGUOUS' }));
  });
});
