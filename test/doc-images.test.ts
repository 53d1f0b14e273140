import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PICTURES } from '../docs/images/make.ts';

const MAX_BYTES = 30_000;
const folder = mkdtempSync(join(tmpdir(), 'krisis-images-'));
afterAll(() => rmSync(folder, { recursive: true }));

const script = spawnSync(process.execPath, ['docs/images/make.ts', folder], { encoding: 'utf8' });
const shown = globSync('docs/*.md').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/!\[([^\]]*)\]\(images\/([^)]+)\)/g)].map(([, words, name]) => ({
    words: words!,
    name: name!,
  })),
);

it('the script that draws them ends well, and draws all there are', () => {
  expect(script.status, script.stderr).toBe(0);
  expect(readdirSync(folder).sort()).toEqual(Object.keys(PICTURES).sort());
  expect(globSync('*.svg', { cwd: 'docs/images' }).sort()).toEqual(Object.keys(PICTURES).sort());
});

describe.each(Object.keys(PICTURES))('docs/images/%s', (name) => {
  const committed = readFileSync(join('docs/images', name), 'utf8');

  it('is what the library draws today (if not: node docs/images/make.ts)', () => {
    expect(readFileSync(join(folder, name), 'utf8')).toBe(committed);
  });

  it('is small, and readable on a page of any colour', () => {
    expect(Buffer.byteLength(committed)).toBeLessThan(MAX_BYTES);
    expect(committed).toMatch(/<rect [^>]*fill="#ffffff"/);
    expect(committed).not.toMatch(/var\(|currentColor|NaN|undefined|Infinity/);
  });

  it('is shown on a page, with words for those who do not see it, and the same numbers', () => {
    const places = shown.filter((image) => image.name === name);
    expect(places.length).toBeGreaterThan(0);
    for (const { words } of places) {
      expect(words.length).toBeGreaterThan(40);
      for (const [number] of words.matchAll(/\d\.\d{2,}/g)) expect(committed).toContain(number);
    }
  });
});
