import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../src/statistics/random.ts';
import { temporaryFolder } from './engine-fixture.ts';
import { krisis } from './krisis.ts';

const folder = temporaryFolder();

/** A file of rows: sure answers are right in 99 of 100, doubtful ones in 70 of 100. */
function rowsFile(name: string, n: number): string {
  const random = createRandom(5);
  const lines = Array.from({ length: n }, (_, i) => {
    const isSure = random.float() < 0.6;
    const right = random.float() < (isSure ? 0.99 : 0.7);
    return JSON.stringify({
      id: `r${i}`,
      ground_truth: 'yes',
      prediction: right ? 'yes' : 'no',
      abstained: false,
      confidence: isSure ? 0.95 : 0.6,
    });
  });
  const path = folder.file(name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const many = rowsFile('many.jsonl', 1000);
const few = rowsFile('few.jsonl', 60);

describe('krisis threshold', () => {
  it('prints the sentence that may be quoted, and the policy beside answering everything', async () => {
    const { stdout, code } = await krisis(['threshold', many], { env: { ...process.env, COLUMNS: '80' } });
    expect(code).toBe(0);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'With 90 % confidence over the draw of the calibration part, at most 5 % of answers given at confidence >= 0.95 are wrong, for patients like these and this model, prompt and version.',
    );
    expect(stdout).toMatch(/confidence >= 0\.95 +\d\d\.\d %/);
    expect(stdout).toMatch(/answer everything +100\.0 %/);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('says that no threshold can be promised, and how many records would be needed', async () => {
    const { stdout, code } = await krisis(['threshold', few]);
    expect(code).toBe(0);
    const text = stdout.replace(/\s+/g, ' ');
    expect(text).toContain('No threshold can be promised');
    const strict = await krisis(['threshold', few, '--risk', '0.0001', '--confidence', '0.9995']);
    expect(strict.stdout).toContain('at or below 0.01 % with 99.95 % confidence');
    expect(text).toContain('at least 45 accepted answers without an error, so 90 records of this kind');
  });

  it('counts answers that have no truth, patients, and enough answers that are wrong', async () => {
    const lines = Array.from({ length: 1400 }, (_, i) =>
      JSON.stringify({
        id: `r${i}`,
        ground_truth: i % 4 === 0 ? null : 'yes',
        prediction: 'yes',
        abstained: false,
        confidence: 0.99,
        metadata: { patient: `p${i >> 1}`, should_abstain: i % 4 === 0 },
      }),
    );
    const path = folder.file('no-truth.jsonl');
    writeFileSync(path, `${lines.join('\n')}\n`);
    const text = (await krisis(['threshold', path, '--cluster', 'patient'])).stdout.replace(/\s+/g, ' ');
    expect(text).toContain('plan for 330 accepted answers (660 patients if all usable');
    expect(text).toContain('has 350 usable ones already, so more of the same may not help');
    expect(text).toMatch(/\d+ answers where no truth can be derived: counted as wrong/);
  });

  it('has JSON, Markdown and HTML', async () => {
    const found = JSON.parse((await krisis(['threshold', many, '--json'])).stdout);
    expect(found).toMatchObject({ threshold: 0.95, risk: 0.05, confidence: 0.9, unit: 'id', reason: null });
    expect(found).toMatchObject({ confidence_source: 'stated', prompt_sha256: [], status: 'complete' });
    expect(found.evaluation.coverage).toBeGreaterThan(0.5);
    expect((await krisis(['threshold', many, '--format', 'md'])).stdout).toContain('| answer everything |');
    const page = folder.file('threshold.html');
    await krisis(['threshold', many, '--format', 'html', '-o', page]);
    expect(readFileSync(page, 'utf8')).toContain('answers given at confidence &gt;= 0.95');
  });

  it('refuses a risk that is not a share, and a run without rows', async () => {
    expect(await krisis(['threshold', many, '--risk', '5'])).toMatchObject({ code: 2 });
    const empty = folder.file('empty.jsonl');
    writeFileSync(empty, '');
    expect((await krisis(['threshold', empty])).code).toBe(2);
  });
});

describe('a condition on the coverage at a deployable threshold', () => {
  it.each([
    [many, 'threshold_coverage(0.05, 0.9) >= 0.5', 0, 'coverage is 0.574 (287/500) at confidence >= 0.95'],
    [many, 'threshold_coverage(5%, 90%) >= 0.9', 1, 'coverage is 0.574'],
    [few, 'threshold_coverage(0.05, 0.9) >= 0.1', 1, 'no threshold can be promised (too few rows)'],
  ])('%s %s', async (file, gate, exitCode, text) => {
    const found = await krisis(['score', file, '--assert', gate]);
    expect(found.code).toBe(exitCode);
    expect(found.stdout.replace(/\s+/g, ' ')).toContain(text);
  });

  it('shares the error over several promises', async () => {
    const gates = ['0.05', '0.2'].flatMap((risk) => ['--assert', `threshold_coverage(${risk}, 0.9) >= 0.5`]);
    const { code, stdout } = await krisis(['score', many, ...gates]);
    expect(code).toBe(0);
    expect(
      stdout.replace(/\s+/g, ' ').match(/2 promises share the error, so each is made with 0\.95/g),
    ).toHaveLength(2);
  });
});
