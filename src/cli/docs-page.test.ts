import { existsSync, globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { docsPage } from './package-files.ts';

const sources = globSync('src/**/*.{ts,json,yaml}').filter((file) => !/\.test\.ts$/.test(file));

describe('pages of the documentation that messages name', () => {
  it('are relative paths in the package folder, and absolute paths elsewhere', () => {
    expect(docsPage('errors.md', resolve('.'))).toBe(join('docs', 'errors.md'));
    const elsewhere = docsPage('errors.md', join(tmpdir(), 'study'));
    expect([isAbsolute(elsewhere), existsSync(elsewhere)]).toEqual([true, true]);
  });

  it('exist', () => {
    const named = sources.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return [...text.matchAll(/docs\/([\w-]+\.md)|docsPage\('([^']+)'/g)].map(
        (match) => match[1] ?? match[2]!,
      );
    });
    expect(named).toContain('your-own-data.md');
    expect(named.filter((page) => !existsSync(join('docs', page)))).toEqual([]);
  });

  it('are in the package', () => {
    expect(JSON.parse(readFileSync('package.json', 'utf8')).files).toContain('docs/*.md');
  });
});
