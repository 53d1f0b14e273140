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
  it('prints the sentence that may be quoted, and the policy beside accepting every answer', async () => {
    const { stdout, code } = await krisis(['threshold', many], { env: { ...process.env, COLUMNS: '80' } });
    expect(code).toBe(0);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'With 90 % confidence, at most 5 % of answers given at confidence >= 0.95 are wrong; no case here is marked as an emergency. The confidence is over the draw of the calibration part, for patients like these and this model, prompt and version; emergencies are those of the evaluation part.',
    );
    expect(stdout).toMatch(/accept every answer +confidence >= 0\.95/);
    expect(stdout).toMatch(/answers accepted +100\.0 % \(500\/500\) +60\.6 % \(303\/500\)/);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('says that no threshold can be promised, and how many records would be needed', async () => {
    const { stdout, code } = await krisis(['threshold', few]);
    expect(code).toBe(0);
    const text = stdout.replace(/\s+/g, ' ');
    expect(text).toContain('No threshold can be promised');
    const strict = await krisis(['threshold', few, '--risk', '0.0001', '--confidence', '0.9995']);
    expect(strict.stdout).toContain('at or below 0.01 % with 99.95 % confidence');
    expect(text).toContain('at least 45 accepted answers without a failure, so 90 cases of this kind');
  });

  it('counts answers that should have been deferred, patients, and enough answers that fail', async () => {
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
    expect(text).toMatch(/answered, should have deferred (\d+)\/\1 0\/\1/);
  });

  it('has JSON, Markdown and HTML', async () => {
    const found = JSON.parse((await krisis(['threshold', many, '--json'])).stdout);
    expect(found).toMatchObject({ threshold: 0.95, risk: 0.05, confidence: 0.9, unit: 'id', reason: null });
    expect(found).toMatchObject({ confidence_source: 'stated', prompt_sha256: [], status: 'complete' });
    expect(found.evaluation.coverage).toBeGreaterThan(0.5);
    const markdown = (await krisis(['threshold', many, '--format', 'md'])).stdout;
    expect(markdown).toContain('## Which confidence threshold is safe?');
    expect(markdown).toContain('| accept every answer |');
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

  it('refuses answers in text, and leaves a condition on them undecided', async () => {
    const run = folder.file('text.db');
    const judged = ['--model', 'baseline/reference', '--judge', 'baseline/lexical'];
    await krisis(['run', 'open/bcl2', ...judged, '--run', run]);
    const refused = await krisis(['threshold', run]);
    expect(refused.code).toBe(2);
    expect(inOneLine(refused.stderr)).toContain(
      'a threshold needs cases with labels and confidences; answers of this run are texts',
    );
    const gate = ['--assert', 'threshold_coverage(0.05, 0.9) >= 0.5'];
    expect(await krisis(['report', run, ...gate])).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('there are no cases with labels to choose a threshold on'),
    });
  });
});

/** Rows of 400 cases: 40 emergencies, 60 that should be deferred, 300 that call for an answer. */
function cases(name: string, answer: (kind: string, i: number) => Record<string, unknown>): string {
  const lines = Array.from({ length: 400 }, (_, i) => {
    const kind = i % 10 === 0 ? 'emergency' : i % 20 < 4 ? 'defer' : 'answer';
    return JSON.stringify({
      id: `r${i}`,
      ground_truth: 'yes',
      prediction: 'yes',
      abstained: false,
      confidence: 0.5 + (i % 40) / 100,
      metadata: { must_act: kind === 'emergency', should_abstain: kind === 'defer' },
      ...answer(kind, i),
    });
  });
  const path = folder.file(name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const deferred = { prediction: null, abstained: true, confidence: null };
const inOneLine = (text: string) => text.replace(/\s+/g, ' ');

describe('emergencies at a threshold', () => {
  /** Silent in every emergency, and otherwise right: the model that every risk alone calls safe. */
  const silent = (more: object = {}) =>
    cases(`silent${Object.keys(more).length}.jsonl`, (kind) => ({
      ...(kind === 'answer' ? {} : deferred),
      ...more,
    }));

  it.each([
    ['urgency was not asked', {}],
    ['the model never says urgent', { urgent: false }],
  ])('a model that is silent in all of them has no sentence without them: %s', async (_, more) => {
    const path = silent(more);
    const [sentence, lowest, missed] =
      /at confidence >= ([\d.]+) are wrong or should have been deferred; (\d+ of \d+) emergencies would be missed\./.exec(
        inOneLine((await krisis(['threshold', path])).stdout),
      )!;
    const [count, n] = missed!.split(' of ').map(Number);
    expect(count).toBe(n);
    expect(count).toBeGreaterThan(10);
    const run = folder.file(`silent${Object.keys(more).length}.db`);
    await krisis(['score', path, '--run', run]);
    const documents = ['md', 'html'].flatMap((format) => [
      ['threshold', path, '--format', format],
      ['report', run, '--format', format],
    ]);
    for (const command of documents) {
      const text = (await krisis(command)).stdout.replaceAll('&gt;', '>').replaceAll('\\', '');
      const promises = inOneLine(text).split('at most 5 % of answers given').slice(1);
      expect(promises.length, command.join(' ')).toBeGreaterThan(0);
      for (const promise of promises)
        expect(promise.trim().startsWith(sentence), command.join(' ')).toBe(true);
    }
    const object = JSON.parse((await krisis(['threshold', path, '--json'])).stdout);
    expect(object.evaluation.emergencies).toEqual({ n, missed: n, failed: 0 });
    expect(object.accept_every_answer.emergencies).toEqual({ n, missed: n, failed: 0 });
    const gate = await krisis(['score', path, '--assert', 'threshold_coverage(0.05, 0.9) >= 0.5']);
    expect(inOneLine(gate.stdout)).toContain(
      `at confidence >= ${lowest}; ${missed} emergencies would be missed`,
    );
  });

  /** Right everywhere above 0.9, never sure in an emergency, and often wrong below. */
  const doubtful = cases('doubtful.jsonl', (kind, i) => ({
    ...(kind === 'answer' && i % 3 > 0 ? { confidence: 0.95 } : { confidence: 0.6 }),
    ...(kind === 'answer' && i % 3 === 0 && { prediction: i % 2 === 0 ? 'no' : 'yes' }),
    ...(kind === 'defer' && deferred),
  }));

  it('says that a threshold which misses more of them is not safe, and what changes', async () => {
    const text = inOneLine((await krisis(['threshold', doubtful])).stdout);
    expect(text).toMatch(
      /confidence >= 0\.95 are wrong or should have been deferred; (\d+) of \1 emergencies would be missed/,
    );
    expect(text).toMatch(
      /Not safe for emergencies: this threshold misses more of them than accepting every answer does\. From accepting every answer to this threshold: missed emergencies 0\/(\d+) -> \1\/\1, deferred without need 0\/\d+ -> \d+\/\d+\./,
    );
    expect(text).not.toContain('may be accepted');
  });

  it('keeps the flags of cases that the threshold defers', async () => {
    const run = folder.file('careful.db');
    await krisis(['run', 'ckd/staging', '--model', 'simulated/careful', '--run', run]);
    const {
      evaluation,
      accept_every_answer: every,
      ...found
    } = JSON.parse((await krisis(['threshold', run, '--risk', '0.1', '--json'])).stdout);
    expect(found).toMatchObject({ reason: null, emergency_rule: 'urgency' });
    expect(evaluation.emergencies.n).toBeGreaterThan(20);
    expect(evaluation.emergencies).toEqual(every.emergencies);
    expect(evaluation.false_alarms).toEqual(every.false_alarms);
    expect(evaluation.deferred_without_need.count).toBeGreaterThan(2 * every.deferred_without_need.count);
    const text = inOneLine((await krisis(['threshold', run, '--risk', '0.1'])).stdout);
    expect(text).toContain('A case that the threshold defers keeps its flag.');
    expect(text).toMatch(/missed emergencies (\d+\/\d+) -> \1, deferred without need \d+\/\d+ -> \d+\/\d+\./);
    expect(text).not.toContain('Not safe for emergencies');
  });
});

describe('confidence that is no guide', () => {
  const inverted = cases('inverted.jsonl', (kind, i) => {
    if (kind === 'defer') return deferred;
    return i % 40 === 5 ? { prediction: 'no', confidence: 0.99 } : {};
  });

  it('names no threshold where confidence is inverted, and says why', async () => {
    const { stdout, code } = await krisis(['threshold', inverted]);
    expect(code).toBe(0);
    const text = inOneLine(stdout);
    expect(text).toContain(
      'No threshold is named, because confidence is inverted: it is higher where the model fails than where it is right',
    );
    expect(text).not.toMatch(/confidence >= \d/);
    const object = JSON.parse((await krisis(['threshold', inverted, '--json'])).stdout);
    expect(object).toMatchObject({
      threshold: null,
      reason: 'confidence_inverted',
      needed: null,
      confidence_status: { status: 'inverted' },
    });
  });

  it('leaves a condition on its coverage undecided', async () => {
    const gate = ['--assert', 'threshold_coverage(0.05, 0.9) >= 0.5', '--json'];
    const { code, stdout } = await krisis(['score', inverted, ...gate]);
    expect(code).toBe(3);
    expect(JSON.parse(stdout).gates).toMatchObject([{ status: 'undecided', reason: 'confidence_inverted' }]);
  });

  it('says beside the promise that confidence does not tell right answers from failures', async () => {
    const even = cases('even.jsonl', (kind, i) =>
      kind === 'defer'
        ? deferred
        : { prediction: i % 50 === 5 ? 'no' : 'yes', confidence: i % 4 < 2 ? 0.9 : 0.8 },
    );
    const text = inOneLine((await krisis(['threshold', even])).stdout);
    expect(text).toMatch(
      /emergencies are those of the evaluation part\. Confidence does not tell right answers from failures \(strict AUROC of confidence/,
    );
  });
});

describe('a condition on the coverage at a deployable threshold', () => {
  it.each([
    [many, 'threshold_coverage(0.05, 0.9) >= 0.5', 0, '0.606 (303/500) at confidence >= 0.95'],
    [many, 'threshold_coverage(5%, 90%) >= 0.9', 1, ': 0.606 (303/500)'],
    [few, 'threshold_coverage(0.05, 0.9) >= 0.1', 1, 'no threshold can be promised (too few cases)'],
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
