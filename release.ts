import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/**
 * `npm run release -- VERSION [--dry-run]`: everything that publishing needs. It checks the version, the change log and the names of owner and addresses, sets the version where it stands, runs all tests,
 * and pushes the commit and its tag. The workflow of the tag publishes the package with provenance, and then the site.
 */
const PLACEHOLDER = 'krisis-owner';
const USAGE = 'usage: npm run release -- VERSION [--dry-run]   (VERSION such as 0.1.0)';
/** They explain the placeholder. */
const NOT_SEARCHED = [':!release.ts', ':!CONTRIBUTING.md', ':!test'];
/** Where the version stands besides the lockfile, and how. */
const VERSIONED = [
  ['package.json', (v: string) => `  "version": "${v}",`],
  ['CITATION.cff', (v: string) => `\nversion: ${v}\n`],
  ['action.yml', (v: string) => `npx --yes krisis@${v}\n`],
  ['docs/tutorial-gate.md', (v: string) => `/krisis@v${v}\n`],
] as const;

const args = process.argv.slice(2);
const isDry = args.includes('--dry-run');
const [version = '', ...more] = args.filter((arg) => arg !== '--dry-run');
if (!/^\d+\.\d+\.\d+$/.test(version) || more.length > 0) fail(USAGE);

const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' }).trim();
const today = new Date().toISOString().slice(0, 10);
const { version: current } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

check();
const changes = planChanges();
const steps = [
  ...changes.map(({ file }) => `write ${file}`),
  'npm install --package-lock-only --ignore-scripts',
  'npm test',
  `git commit -am "Release ${version}"`,
  `git tag v${version}`,
  `git push origin HEAD v${version}   (its workflow publishes with provenance, and the site)`,
];
if (isDry) {
  process.stdout.write(`Release ${version}, nothing done:\n${steps.map((step) => `  ${step}\n`).join('')}`);
  process.exit(0);
}
for (const { file, text } of changes) writeFileSync(file, text);
perform('npm', 'install', '--package-lock-only', '--ignore-scripts');
perform('npm', 'test');
perform('git', 'commit', '--quiet', '-am', `Release ${version}`);
perform('git', 'tag', `v${version}`);
perform('git', 'push', '--quiet', 'origin', 'HEAD', `v${version}`);

/** What speaks against a release, all at once. */
function check(): void {
  const problems: string[] = [];
  const { stdout } = spawnSync('git', ['grep', '-l', PLACEHOLDER, '--', '.', ...NOT_SEARCHED], { encoding: 'utf8' });
  const files = stdout.trim();
  if (files !== '')
    problems.push(
      `the owner of the project is still the placeholder "${PLACEHOLDER}", in ${files.split('\n').join(', ')}. Name the owner: git grep -l ${PLACEHOLDER} | xargs sed -i 's/${PLACEHOLDER}/OWNER/g'`,
    );
  if (git('status', '--porcelain') !== '') problems.push('the working tree has changes: commit them first');
  if (git('tag', '--list', `v${version}`) !== '') problems.push(`the tag v${version} exists`);
  if (compare(version, current) < 0) problems.push(`${version} is older than ${current} in package.json`);
  if (!/^## \[Unreleased\]\n+\S/m.test(readFileSync('CHANGELOG.md', 'utf8')))
    problems.push('CHANGELOG.md has nothing under "## [Unreleased]"');
  if (problems.length > 0) fail(`not released:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
}

function planChanges(): { readonly file: string; readonly text: string }[] {
  const edited = VERSIONED.map(([file, line]) => {
    const text = readFileSync(file, 'utf8');
    if (!text.includes(line(current)))
      fail(`not released:\n- ${file} does not have the version ${current} where it is expected`);
    return { file, text: text.replace(line(current), line(version)) };
  });
  const log = readFileSync('CHANGELOG.md', 'utf8');
  const heading = '## [Unreleased]\n';
  return [
    ...edited,
    { file: 'CHANGELOG.md', text: log.replace(heading, `${heading}\n## [${version}] - ${today}\n`) },
  ];
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split('.').map(Number));
  return left!.map((part, i) => part - right![i]!).find((difference) => difference !== 0) ?? 0;
}

function perform(command: string, ...words: string[]): void {
  const { status } = spawnSync(command, words, { stdio: 'inherit' });
  if (status !== 0) fail(`${command} ${words.join(' ')} ended with ${status}: nothing was pushed`);
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
