import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { listRuns } from '../src/store/list-runs.ts';
import { krisis } from './krisis.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-v0.1-'));
cpSync('test/fixtures/v0.1', folder, { recursive: true });
afterAll(() => rmSync(folder, { recursive: true }));

/** The backend of the interrupted question runs, without its delay. */
writeFileSync(
  join(folder, 'krisis.config.ts'),
  `import { findQuestionSuite } from 'krisis';
const { questions } = await findQuestionSuite('clinical.yaml');
const answers = new Map(questions.map(({ question, reference }) => [question, reference]));
const labels = async () => { throw new Error('text only'); };
export default { backends: [{ name: 'ward/slow', evaluate: labels, evaluateBatch: labels,
  generate: async ({ messages }) => ({ text: answers.get(messages.at(-1).content), inputTokens: 20, outputTokens: 40 }) }] };`,
);

const STAGING = ['ckd/staging', '--n-records', '40', '--batch-size', '4', '--bootstrap', '0'];
const SLOW = ['--model', 'simulated/careful?latency_ms=150', '--max-concurrency', '4'];
/** `open/clinical` as it was then. */
const QUESTIONS = ['clinical.yaml', '--judge', 'baseline/lexical'];

/** Each file, how many of its rows are done, and the command that made it. */
const FILES: readonly (readonly [
  file: string,
  status: string,
  done: number,
  of: number,
  command: readonly string[],
])[] = [
  ['complete.db', 'complete', 40, 40, [...STAGING, '--model', 'simulated/careful']],
  ['interrupted.db', 'interrupted', 28, 40, [...STAGING, ...SLOW]],
  ['limit-raised.db', 'interrupted', 20, 40, [...STAGING, ...SLOW]],
  [
    'failed-rows.db',
    'complete',
    40,
    40,
    [
      'ckd/detection',
      ...STAGING.slice(1),
      '--model',
      'simulated/flaky?malformed=0.6&poisoned=0.2',
      '--fail-on-error',
      '1',
    ],
  ],
  [
    'protected.db',
    'complete',
    40,
    40,
    ['ward/suite.yaml', '--model', 'simulated/careful', '--batch-size', '2'],
  ],
  ['questions.db', 'complete', 17, 17, [...QUESTIONS, '--model', 'baseline/reference']],
  ['questions-interrupted.db', 'interrupted', 6, 17, [...QUESTIONS, '--model', 'ward/slow']],
  ['questions-limit-raised.db', 'interrupted', 8, 17, [...QUESTIONS, '--model', 'ward/slow']],
];

const hashOf = (file: string) =>
  createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex');
const inFolder = (...args: string[]) => krisis(args, { cwd: folder });

describe('a run file of version 0.1', () => {
  it('is listed', () => {
    const { runs } = listRuns(folder);
    for (const [file, status, nDone, nRecords] of FILES)
      expect(runs.find(({ path }) => path.endsWith(`/${file}`))).toMatchObject({ status, nDone, nRecords });
  });

  it.each([...FILES, ['recorded.db', 'complete', 3, 3, []] as const])(
    '%s is reported, and is not changed by that',
    async (file, status) => {
      const before = hashOf(file);
      const { code, stdout, stderr } = await inFolder('report', file, '--format', 'json', '--bootstrap', '0');
      expect(stderr).toBe('');
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ status });
      expect(hashOf(file)).toBe(before);
      expect(readdirSync(folder).filter((name) => name.startsWith(`${file}-`))).toEqual([]);
    },
  );

  it.each([
    ['complete.db', 'interrupted.db'],
    ['questions.db', 'questions-interrupted.db'],
  ])('%s is compared with %s', async (a, b) => {
    const { code, stderr } = await inFolder('compare', a, b, '--json');
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  it.each(FILES.filter(([file]) => file.startsWith('questions')))(
    '%s is continued: %s, %i of %i rows',
    async (file, _status, done, of, command) => {
      const { code, stdout, stderr } = await inFolder('run', ...command, '--run', file, '--json');
      expect(stderr).toContain(
        done < of ? `continuing ${file}` : `${file}: finished earlier; nothing was asked`,
      );
      expect(code).toBe(0);
      const { status, execution } = JSON.parse(stdout) as {
        status: string;
        execution?: { n_input_records: number };
      };
      expect(status).toBe('complete');
      if (execution) expect(execution.n_input_records).toBe(of);
      if (done < of)
        expect((await inFolder('report', file, '--format', 'json', '--bootstrap', '0')).code).toBe(0);
    },
  );

  it.each(FILES.filter(([file]) => !file.startsWith('questions')))(
    '%s is not continued, since records were asked in another order',
    async (file, _s, _d, _o, command) => {
      const before = hashOf(file);
      const { code, stderr } = await inFolder('run', ...command, '--run', file, '--json');
      expect(code).toBe(2);
      expect(stderr).toContain('order: null there, "keyed_hash" now');
      expect(hashOf(file)).toBe(before);
    },
  );

  it('takes the batch size of the file where none is typed', async () => {
    const { stderr } = await inFolder(
      'run',
      'ckd/staging',
      '--n-records',
      '40',
      '--model',
      'simulated/careful',
      '--run',
      'complete.db',
    );
    expect(stderr).not.toContain('batch_size');
  });

  it('is refused where the run would be another, with what differs', async () => {
    const { code, stderr } = await inFolder(
      'run',
      ...STAGING,
      '--model',
      'simulated/careful',
      '--batch-size',
      '8',
      '--run',
      'complete.db',
    );
    expect(code).toBe(2);
    expect(stderr).toContain('batch_size: 4 there, 8 now');
  });
});
