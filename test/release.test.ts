import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'krisis-release-'));
afterAll(() => rmSync(folder, { recursive: true }));
const cwd = join(folder, 'work');
const FILES = [
  'release.ts',
  'CITATION.cff',
  'CHANGELOG.md',
  'action.yml',
  'SECURITY.md',
  'docs/tutorial-gate.md',
];

const git = (...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();
const read = (file: string) => readFileSync(join(cwd, file), 'utf8');
function release(...args: string[]) {
  return spawnSync(process.execPath, ['release.ts', ...args], { cwd, encoding: 'utf8' });
}
function commit(): void {
  git('add', '-A');
  git('-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-qm', 'x');
}

/** What a release reads, in a repository with a place to push to; its own tests pass. */
for (const file of FILES) {
  mkdirSync(dirname(join(cwd, file)), { recursive: true });
  cpSync(file, join(cwd, file));
}
const { name, version, repository } = JSON.parse(readFileSync('package.json', 'utf8'));
const own = { name, version, repository, type: 'module', scripts: { test: 'node -e ""' } };
writeFileSync(join(cwd, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
execFileSync('git', ['init', '-q', '--bare', join(folder, 'home.git')]);
git('init', '-q');
git('config', 'user.name', 'test');
git('config', 'user.email', 'test@localhost');
git('remote', 'add', 'origin', join(folder, 'home.git'));
commit();

it('the change log has at most 700 words until there are versions', () => {
  const log = readFileSync('CHANGELOG.md', 'utf8');
  if (!/^## \[\d/m.test(log)) expect(log.split(/\s+/).length).toBeLessThanOrEqual(700);
});

describe('a release', () => {
  it('is refused while the owner is a placeholder', () => {
    const { status, stderr, stdout } = release('0.2.0', '--dry-run');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^not released:\n- the owner of the project is still the placeholder "krisis-owner", in /,
    );
    for (const file of ['package.json', 'CITATION.cff', 'SECURITY.md', 'docs/tutorial-gate.md'])
      expect(stderr).toContain(file);
    expect(stderr.trim().split('\n')).toHaveLength(2);
  });

  it('says what it would do, and does nothing', () => {
    for (const file of [...FILES.filter((file) => file !== 'release.ts'), 'package.json'])
      writeFileSync(join(cwd, file), read(file).replaceAll('krisis-owner', 'ward'));
    commit();
    const { status, stdout } = release('0.2.0', '--dry-run');
    expect([status, stdout]).toEqual([0, expect.stringContaining('git tag v0.2.0')]);
    expect(git('status', '--porcelain')).toBe('');
    expect(git('tag')).toBe('');
  });

  it('is refused for an old version, with changes, or with nothing to tell', () => {
    expect(release('0.0.9', '--dry-run').stderr).toContain('0.0.9 is older than 0.1.0');
    expect(release('next').stderr).toContain('usage: npm run release');
    const log = read('CHANGELOG.md');
    writeFileSync(join(cwd, 'CHANGELOG.md'), '# Changelog\n\n## [Unreleased]\n');
    const { stderr } = release('0.2.0', '--dry-run');
    expect(stderr).toContain('the working tree has changes');
    expect(stderr).toContain('nothing under');
    writeFileSync(join(cwd, 'CHANGELOG.md'), log);
  });

  it('sets the version everywhere, and pushes its tag', () => {
    const { status, stderr } = release('0.2.0');
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    expect(JSON.parse(read('package.json')).version).toBe('0.2.0');
    expect(read('CITATION.cff')).toContain('\nversion: 0.2.0\n');
    expect(read('action.yml')).toContain('krisis@0.2.0\n');
    expect(read('CHANGELOG.md')).toMatch(/## \[Unreleased\]\n\n## \[0\.2\.0\] - 20\d\d-\d\d-\d\d\n/);
    expect(execFileSync('git', ['tag'], { cwd: join(folder, 'home.git'), encoding: 'utf8' }).trim()).toBe(
      'v0.2.0',
    );
    expect(release('0.2.0').stderr).toContain('the tag v0.2.0 exists');
  });
});
