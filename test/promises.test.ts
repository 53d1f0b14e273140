import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SCENARIOS } from './torture/scenarios.ts';

/** docs/promises.md: tables whose rows are `| promise | test file | title |`, with file and title as code. */
const page = readFileSync('docs/promises.md', 'utf8');
const promises = [...page.matchAll(/^\| (.+?) \| `([^`]+\.test\.ts)` \| `(.+)` \|$/gm)].map(
  ([, promise, file, title]) => ({ promise: promise!, file: file!, title: title! }),
);

/** Titles are matched as they stand in the source, where quotes are escaped and `%s` stands for a value. */
function holdsTitle(file: string, title: string): boolean {
  const source = readFileSync(file, 'utf8').replaceAll("\\'", "'");
  return source.includes(title);
}

describe('docs/promises.md', () => {
  it('lists promises', () => {
    expect(promises.length).toBeGreaterThan(40);
    expect(page.match(/^\|.*\.test\.ts`/gm)).toHaveLength(promises.length);
  });

  it.each(promises)('$promise: $file', ({ file, title }) => {
    expect(existsSync(file), file).toBe(true);
    expect(holdsTitle(file, title), `${file} has no test called "${title}"`).toBe(true);
  });

  it('has the summary of every torture scenario', () => {
    for (const { name } of SCENARIOS) expect(page).toContain(`| ${name} |`);
  });
});

describe('npm run torture', () => {
  it.each(SCENARIOS)('finds the tests of $name', ({ files }) => {
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });
});
