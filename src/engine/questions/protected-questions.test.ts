import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/engine-fixture.ts';
import { judgeOf, textBackend } from '../../../test/question-run-fixture.ts';
import { apiBackend } from '../../models/api/api-backend.ts';
import { LEXICAL_JUDGE } from '../../models/judge.ts';
import { Rubric } from '../../rubrics/rubric.ts';
import { readRun } from '../../runs/read-run.ts';
import { RunFile } from '../../store/run-file.ts';
import { parseQuestionSuite } from '../../suites/questions/question-suite.ts';
import type { Progress } from '../progress.ts';
import { run } from '../run.ts';
import type { RunOptions } from '../run-options.ts';
import { judgeRun } from './judge-run.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
let made = 0;
const newPath = () => folder.file(`${++made}.db`);

const suite = parseQuestionSuite(
  {
    name: 'ward/advice',
    rubric: {
      metric_traits: [
        { name: 'advice', metrics: ['recall'], tp_instructions: ['Advises against ibuprofen'] },
      ],
      regex_traits: [{ name: 'names_a_drug', pattern: 'ibuprofen', case_sensitive: false }],
      length_traits: [{ name: 'short', max: 50 }],
      callable_traits: [{ name: 'first_word' }, { name: 'fails' }],
      llm_traits: [{ name: 'tone', kind: 'literal', classes: ['cold', 'warm'] }],
    },
    questions: [{ id: 'q1', question: 'Zoltan Quibblewick, born 1961-05-03, asks: may I take ibuprofen?' }],
  },
  'questions',
  {
    first_word: (answer) => answer.split(' ')[0]!,
    fails: (answer) => {
      throw new Error(`cannot take ${answer}`);
    },
  },
);

const ANSWER = 'Zoltan Quibblewick (3 May 1961) must avoid ibuprofen.';
const writer = () => textBackend(() => ANSWER);
/** A judge that quotes the patient wherever it can. */
const judge = () =>
  judgeOf(() => ({
    verdicts: {
      'Advises against ibuprofen': {
        verdict: 'present',
        quotes: ['must avoid ibuprofen', 'Zoltan Quibblewick (3 May 1961)', 'QUIBBLEWICK takes it'],
      },
    },
    traits: { tone: 'warm', 'krisis.abstained': false },
  }));

const start = (path: string, more: Partial<RunOptions> = {}) =>
  run({ suite, backend: writer(), judge: judge(), path, maxConcurrency: 1, ...more });

/** Everything in a run file, as text. */
function bytes(path: string): string {
  return readFileSync(path, 'latin1').toLowerCase();
}

describe('protected open questions', () => {
  it('leave verdicts and offsets in the file, and no text', async () => {
    const path = newPath();
    const result = await start(path);
    expect(result.status).toBe('complete');
    for (const canary of ['zoltan', 'quibblewick', '1961-05', 'may 1961', 'must avoid'])
      expect(bytes(path)).not.toContain(canary);
    const file = RunFile.read(path);
    const [judgement] = [...file.judgements.read()].filter((one) => one.judge === 'unit/judge');
    expect((judgement!.outcome as { verdicts: unknown }).verdicts).toEqual([
      expect.objectContaining({
        verdict: 'present',
        quotes: [
          { start: 32, end: 52 },
          { start: 0, end: 30 },
        ],
      }),
    ]);
    expect(file.rows.findAnswer('q1', 0)).toMatchObject({ state: 'answered', answer: null });
    expect(file.manifest().keepText).toBe(false);
    file.close();
  });

  it('score as those whose text is kept', async () => {
    const [withheld, kept] = [newPath(), newPath()];
    await start(withheld);
    await start(kept, { keepText: true });
    const readScores = (path: string) => {
      const result = readRun(path, { resamples: 0 });
      const { metricTraits, otherTraits } = result.judging!;
      result.close();
      return [
        ...metricTraits.map(({ name, metrics }) => [name, metrics.recall!.pooled.value]),
        ...otherTraits.map(({ name, score }) => [name, score?.value ?? null]),
      ];
    };
    expect(readScores(withheld)).toEqual(readScores(kept));
    expect(readScores(withheld)).toContainEqual(['names_a_drug', 1]);
  });

  it('keep texts when asked to, with the question blocked out and every offset valid', async () => {
    const path = newPath();
    await start(path, { keepText: true });
    for (const canary of ['zoltan', 'quibblewick', '1961-05', 'may 1961'])
      expect(bytes(path)).not.toContain(canary);
    const file = RunFile.read(path);
    const { answer } = file.rows.findAnswer('q1', 0)!;
    expect(answer).toBe('██████ ███████████ (██████████) must avoid ibuprofen.');
    expect(answer).toHaveLength(ANSWER.length);
    expect(file.manifest().keepText).toBe(true);
    file.close();
  });

  it('are asked and judged again when the process ended before the row was complete, and say so', async () => {
    const path = newPath();
    const stop = new AbortController();
    let asked = 0;
    const backend = textBackend(() => {
      asked += 1;
      return `${ANSWER} ${asked}`;
    });
    // The first reply of the judge comes, the second is never asked for.
    const stopping = judgeOf(() => {
      stop.abort();
      return 'no verdicts';
    });
    const first = await start(path, { backend, judge: stopping, signal: stop.signal });
    expect([first.status, first.ledger.not_run]).toEqual(['interrupted', 1]);
    let progress: Progress | undefined;
    const second = await start(path, { backend, onProgress: (now) => (progress = now) });
    expect([second.status, asked]).toEqual(['complete', 2]);
    expect(progress?.askedAgain).toEqual({ answers: 1, judgements: 1 });
    const file = RunFile.read(path);
    expect(file.events.read().findLast(({ kind }) => kind === 'finished')?.data.asked_again).toEqual({
      answers: 1,
      judgements: 1,
    });
    file.close();
    expect((await start(path, { backend })).status).toBe('complete');
    expect(asked).toBe(2);
  });

  it.each([
    ['judging again', { judge: LEXICAL_JUDGE }],
    ['another rubric', { judge: LEXICAL_JUDGE, rubric: new Rubric() }],
    ['more passes', { judge: judge(), passes: 2 }],
  ])('refuse %s without their text, before any call', async (_, options) => {
    const path = newPath();
    await start(path);
    const before = bytes(path);
    await expect(judgeRun({ path, questions: suite, ...options })).rejects.toMatchObject({
      code: 'ERR_TEXT_NOT_KEPT',
    });
    expect(bytes(path)).toBe(before);
  });

  it('refuse another judge, and texts from now on, when the run is continued', async () => {
    const path = newPath();
    await start(path);
    for (const more of [{ judge: LEXICAL_JUDGE }, { keepText: true }, { passes: 2 }])
      await expect(start(path, more)).rejects.toMatchObject({ code: 'ERR_TEXT_NOT_KEPT' });
  });

  it('are judged in bulk jobs only with a permission of their own, and left there only with kept texts', async () => {
    const path = newPath();
    await start(path);
    const answers = new Map([['q1', ANSWER]]);
    const inBulk = { ...judge(), backend: await apiBackend('openai/judge', { keyRequired: false }) };
    const options = { path, judge: inBulk, questions: suite, answers };
    await expect(judgeRun({ ...options, bulk: {}, allowEgress: ['openai'] })).rejects.toMatchObject({
      code: 'ERR_EGRESS_NOT_ALLOWED',
      value: 'openai:bulk',
    });
    const detached = judgeRun({ ...options, bulk: { detach: true }, allowEgress: ['openai:bulk'] });
    await expect(detached).rejects.toMatchObject({ code: 'ERR_BULK_UNAVAILABLE' });
  });

  it('can be judged again when their text was kept', async () => {
    const path = newPath();
    await start(path, { keepText: true });
    const again = await judgeRun({ path, judge: LEXICAL_JUDGE, questions: suite });
    expect(again.judging!.judge.judges.map(({ name }) => name)).toContain('baseline/lexical');
    expect(bytes(path)).not.toContain('quibblewick');
  });
});
