import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const STUDIES = resolve('studies');
const NAMES = ['escalation', 'triage', 'conversation'] as const;
const folder = mkdtempSync(join(tmpdir(), 'krisis-studies-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Figures = Readonly<Record<string, number | string | null>>;
const readFigures = (path: string): Figures => JSON.parse(readFileSync(path, 'utf8'));
const hasPython = spawnSync('python3', ['--version']).status === 0;

/** A second implementation of the numbers: its exit code and what it says. */
function recompute(study: string, data: string, figures: string) {
  const { status, stdout } = spawnSync('python3', [join(STUDIES, 'recompute.py'), study, data, figures], {
    encoding: 'utf8',
  });
  return { status, stdout };
}

describe.each(NAMES)('the study %s', (name) => {
  const sample = join(STUDIES, 'sample', name);
  const output = join(folder, name);
  const written = () => {
    if (!existsSync(output))
      execFileSync(process.execPath, [join(STUDIES, 'main.ts'), name, sample, output], { stdio: 'pipe' });
    return join(output, 'figures.json');
  };

  it('writes the same numbers of the made-up data each time', () => {
    expect(readFileSync(written(), 'utf8')).toBe(readFileSync(join(sample, 'figures.json'), 'utf8'));
  }, 300_000);

  it('is recomputed by a second implementation (skipped without python3)', ({ skip }) => {
    if (!hasPython) skip('no python3');
    const { status, stdout } = recompute(name, sample, written());
    expect([status, stdout]).toEqual([0, expect.stringMatching(/ 0 differences\n$/)]);
  });

  it('is contradicted by a second implementation where a number is wrong (skipped without python3)', ({
    skip,
  }) => {
    if (!hasPython) skip('no python3');
    const figures = { ...readFigures(written()), 'not/on/the/page': 1 };
    const [key, value] = Object.entries(figures).find(([, each]) => typeof each === 'number')!;
    const wrong = join(folder, `${name}-wrong.json`);
    writeFileSync(wrong, JSON.stringify({ ...figures, [key]: Number(value) + 1e-4 }));
    const { status, stdout } = recompute(name, sample, wrong);
    expect(status).toBe(1);
    expect(stdout).toContain(', 2 differences');
    expect(stdout).toContain(key);
  });

  it('has no number of a result outside the parts that the study writes', () => {
    const page = readFileSync(join(STUDIES, name, 'README.md'), 'utf8');
    const prose = page
      .replace(/<!-- begin: [\s\S]*?<!-- end: [\w-]+ -->/g, '')
      .replace(/```[\s\S]*?```|`[^`]*`|\]\([^)]*\)|^> .*$/gm, '');
    const [, ...sections] = prose.split(/^## /m);
    const results = sections.filter((section) => !/^The (data|method)/.test(section)).join('');
    // Names of models and codes, years, and the confidence level.
    const rest = results.replace(/[A-Za-z-]+\d[\w.]*|\b20\d\d\b|95 %/g, '');
    expect(rest.match(/\d[\d.,]*( %)?/g) ?? []).toEqual(LIMITS[name]);
  });
});

/** Numbers in the text about results that are no results. */
const LIMITS: Readonly<Record<(typeof NAMES)[number], readonly string[]>> = {
  escalation: ['5 %'],
  triage: [],
  conversation: [],
};

const FACTS = resolve('../shared/data/medsafe-dx');

describe('the pages', () => {
  it('have the numbers that the README tells', () => {
    const figures = readFigures(join(STUDIES, 'escalation/figures.json'));
    const number = (key: string) => Number(figures[key]);
    const percent = (key: string) => (100 * number(key)).toFixed(1);
    const readme = readFileSync('README.md', 'utf8');
    const model = 'gpt-5.4-pro';
    for (const sentence of [
      `${model} missed ${number(`${model}/missed/x`)} of ${number(`${model}/missed/n`)} emergencies`,
      `its calls failed on ${number(`${model}/missed/failed`)} more`,
      `that is ${percent(`${model}/missed/bounds/lower`)} to ${percent(`${model}/missed/bounds/upper`)} %`,
      `${number('pairs/missed/shown')} of ${number('pairs/missed/all')} differences in missed emergencies are shown`,
      `escalated ${percent('alarms/least')} to ${percent('alarms/most')} % of the cases`,
      `with ${number('policy/always/pass/all') * 100} %`,
    ])
      expect(readme).toContain(sentence);
    const models = Object.keys(figures).filter((key) => key.endsWith('/limit'));
    expect(models.map((key) => figures[key])).toEqual(models.map(() => 'fails'));
    expect(readme.split(/\s+/).filter((word) => word !== '').length).toBeLessThanOrEqual(600);
  });

  it.skipIf(!existsSync(FACTS))(
    'count what the published answers hold (skipped without ../shared/data/medsafe-dx)',
    () => {
      const figures = readFigures(join(STUDIES, 'escalation/figures.json'));
      for (const model of ['claude-opus-4.6', 'gemini-3.1-pro-preview', 'gpt-5.4-pro']) {
        const lines = readFileSync(join(FACTS, `${model}.jsonl`), 'utf8')
          .trim()
          .split('\n');
        const facts = lines.map((line) => JSON.parse(line));
        const emergencies = facts.filter((fact) => fact.escalation_required && fact.state !== 'failed');
        const others = facts.filter((fact) => !fact.escalation_required && fact.state !== 'failed');
        expect([
          figures[`${model}/missed/x`],
          figures[`${model}/missed/n`],
          figures[`${model}/alarms/x`],
          figures[`${model}/alarms/n`],
          figures[`${model}/failed`],
        ]).toEqual([
          emergencies.filter((fact) => !fact.escalated).length,
          emergencies.length,
          others.filter((fact) => fact.escalated).length,
          others.length,
          facts.filter((fact) => fact.state === 'failed').length,
        ]);
      }
    },
  );
});
