import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { Command } from '@commander-js/extra-typings';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { COMMANDS } from '../src/cli/commands.ts';
import { EXIT, EXIT_CODES } from '../src/cli/exit-codes.ts';
import { loadCommand } from '../src/cli/main.ts';
import ERROR_CODES from '../src/core/error-codes.json' with { type: 'json' };
import { type ErrorCode, KrisisError } from '../src/core/errors.ts';
import { judgeRun } from '../src/engine/questions/judge-run.ts';
import { recordAnswers } from '../src/engine/questions/recorded-answers.ts';
import { run } from '../src/engine/run.ts';
import { checkIds } from '../src/engine/select-records.ts';
import { LEXICAL_JUDGE } from '../src/models/judge.ts';
import { parseQuestionSuite } from '../src/suites/questions/question-suite.ts';
import { scriptedBackend, temporaryFolder } from './engine-fixture.ts';
import { krisis } from './krisis.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('lists codes in alphabetical order', () => {
  const codes = Object.keys(ERROR_CODES);
  expect(codes).toEqual(codes.toSorted());
});

it('documents every exit code that a command can set', () => {
  const commands = globSync('src/cli/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  const numbers = commands.flatMap((file) =>
    (readFileSync(file, 'utf8').match(/exitCode(?: =|:) [1-9]\d*/g) ?? []).map((set) => `${file}: ${set}`),
  );
  expect(numbers, 'use EXIT of src/cli/exit-codes.ts').toEqual([]);
  expect(Object.keys(EXIT_CODES)).toEqual(Object.values(EXIT).map(String));
});

it('every code is asserted by a test', () => {
  const tests = globSync('{src,test}/**/*.test.ts').map((file) => readFileSync(file, 'utf8'));
  const asserted = new Set(tests.flatMap((text) => text.match(/ERR_\w+/g) ?? []));
  expect(Object.keys(ERROR_CODES).filter((code) => !asserted.has(code))).toEqual([]);
});

describe('KrisisError', () => {
  it('has a code, the offending value and the cause', () => {
    const facts = { code: 'ERR_FILE_UNREADABLE', value: 'rows.jsonl', cause: new Error('ENOENT') } as const;
    const error = new KrisisError('rows.jsonl: no such file', facts);
    expect(error).toMatchObject({ name: 'KrisisError', ...facts });
  });

  it('has ERR_BAD_INPUT and no cause by default', () => {
    const error = new KrisisError('n is -1; expected 0 or more');
    expect([error.code, error.value, 'cause' in error]).toEqual(['ERR_BAD_INPUT', undefined, false]);
  });
});

describe('recorded answers and open questions', () => {
  const folder = temporaryFolder();
  afterAll(folder.remove);
  const suite = parseQuestionSuite({
    name: 'demo/secret',
    questions: [{ id: 'a', question: 'May I?', should_abstain: false }],
  });
  const options = { krisisVersion: '1.0.0', judge: LEXICAL_JUDGE };
  const answers = (text: string) => {
    writeFileSync(folder.file('answers.jsonl'), text);
    return { ...options, answersPath: folder.file('answers.jsonl'), path: folder.file('answers.db') };
  };

  it('refuse answers without a rubric, and lines that are not answers', async () => {
    await expect(recordAnswers(answers('{}'))).rejects.toMatchObject({ code: 'ERR_RUBRIC_REQUIRED' });
    for (const text of ['', '{}', '{"id": "b", "answer": "yes"}'])
      await expect(recordAnswers({ ...answers(text), questions: suite })).rejects.toMatchObject({
        code: 'ERR_ANSWERS_INVALID',
      });
  });

  it('need the questions to judge a protected run again', async () => {
    const given = { ...answers('{"id": "a", "answer": "yes"}'), questions: suite };
    const { path } = await recordAnswers({ ...given, keepText: true, path: folder.file('kept.db') });
    await expect(judgeRun({ ...options, path })).rejects.toMatchObject({ code: 'ERR_QUESTION_NOT_STORED' });
  });

  it('need the text of the answers to judge a protected run again', async () => {
    const given = { ...answers('{"id": "a", "answer": "yes"}'), questions: suite };
    const { path, answers: texts } = await recordAnswers(given);
    const again = judgeRun({ ...options, path, questions: suite });
    await expect(again).rejects.toMatchObject({ code: 'ERR_TEXT_NOT_KEPT' });
    const judged = await judgeRun({ ...options, path, questions: suite, answers: texts });
    expect(judged.judging!.answers).toMatchObject([{ id: 'a', answer: null, state: 'answered' }]);
  });

  it('need a judge', async () => {
    const backend = scriptedBackend(() => []);
    const ran = run({ suite, backend, krisisVersion: '1.0.0', path: folder.file('run.db') });
    await expect(ran).rejects.toMatchObject({ code: 'ERR_JUDGE_REQUIRED' });
  });
});

it('refuses two records with one id', () => {
  expect(() => checkIds(['a', 'b', 'a'])).toThrow(
    expect.objectContaining({ code: 'ERR_DUPLICATE_RECORD_ID', value: 'a' }),
  );
});

describe('the command line', () => {
  /** What `krisis list` prints when it throws. */
  function whenListThrows(error: Error) {
    vi.spyOn(COMMANDS.list!, 'load').mockResolvedValue(
      new Command().action(() => {
        throw error;
      }),
    );
    return krisis(['list'], { env: { ...process.env, KRISIS_DEBUG: undefined } });
  }

  it.each<ErrorCode>(['ERR_USAGE', 'ERR_BAD_INPUT', 'ERR_ROW_FILE'])(
    'prints the message of a %s and exits with 2',
    async (code) => {
      const ran = await whenListThrows(new KrisisError('no such run', { code }));
      expect(ran).toEqual({ code: 2, stdout: '', stderr: 'krisis: no such run\n' });
    },
  );

  it('adds what to type to an error that has a hint', async () => {
    const { stderr } = await whenListThrows(new KrisisError('site: exists', { code: 'ERR_EXPORT_EXISTS' }));
    expect(stderr).toBe('krisis: site: exists\nTo replace it, add --force.\n');
  });

  it.each([
    new KrisisError('lists do not add up', { code: 'ERR_INTERNAL' }),
    new TypeError('lists do not add up'),
  ])('exits with 70 for an error inside Krisis: %s', async (error) => {
    const { code, stderr } = await whenListThrows(error);
    expect(code).toBe(70);
    expect(stderr).toMatch(/^krisis: internal error: lists do not add up\n.*KRISIS_DEBUG=1/);
  });

  it('refuses to export a protected suite with ERR_SUITE_PROTECTED', async () => {
    const args = ['examples/ollama/ward.yaml', '--export', '-'];
    const command = await loadCommand('check', args);
    const exported = command.parseAsync(args, { from: 'user' });
    await expect(exported).rejects.toMatchObject({ name: 'KrisisError', code: 'ERR_SUITE_PROTECTED' });
  });
});
