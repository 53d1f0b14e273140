import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { readAppFiles } from './app-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-app-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('sends what the build compressed, and nothing that is of another build', () => {
  writeFileSync(join(folder, 'index.html'), '<p>page</p>');
  writeFileSync(join(folder, 'app.js'), 'today()');
  const sent = () => {
    const files = readAppFiles(folder);
    expect([...files.keys()].sort()).toEqual(['app.js', 'index.html']);
    return files.get('app.js')!.compressed('br');
  };
  const ofToday = brotliCompressSync('today()');
  writeFileSync(join(folder, 'app.js.br'), ofToday);
  expect(sent().equals(ofToday)).toBe(true);
  writeFileSync(join(folder, 'app.js.br'), brotliCompressSync('yesterday()'));
  expect(brotliDecompressSync(sent()).toString()).toBe('today()');
});
