import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/engine-fixture.ts';
import { scriptedJudge } from '../../../test/scripted-judge.ts';
import type { TextReply, TextRequest } from '../../core/text-request.ts';
import type { Backend } from '../../models/backend.ts';
import { BackendError } from '../../models/backend-error.ts';
import { type Judge, LEXICAL_JUDGE, modelJudge } from '../../models/judge.ts';
import type { JudgeOutcome } from '../../rubrics/judge/judge-outcome.ts';
import { Rubric } from '../../rubrics/rubric.ts';
import { RunFile } from '../../store/run-file.ts';
import { parseQuestionSuite } from '../../suites/questions/question-suite.ts';
import { run as runQuestions } from '../run.ts';
import type { RunOptions as RunQuestionsOptions } from '../run-options.ts';
import { judgeRun } from './judge-run.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
let made = 0;
const newPath = () => folder.file(`${++made}.db`);

const suite = parseQuestionSuite({
  name: 'demo/open',
  sensitivity: 'synthetic',
  rubric: {
    metric_traits: [
      { name: 'advice', metrics: ['recall'], tp_instructions: ['Names paracetamol', 'Names ibuprofen'] },
    ],
  },
  questions: ['a', 'b', 'c'].map((id) => ({ id, question: `May I take ${id}?` })),
});

/** A model that writes, and a list of what it was asked. */
function writer(generate: (request: TextRequest, n: number) => string | Error, name = 'demo/writer') {
  const asked: string[] = [];
  const labelsOnly = async () => {
    throw new Error('no labels here');
  };
  const backend: Backend = {
    name,
    retryBaseSeconds: 0.001,
    maxRetries: 0,
    evaluate: labelsOnly,
    evaluateBatch: labelsOnly,
    async generate(request): Promise<TextReply> {
      asked.push(request.messages.at(-1)!.content);
      const said = generate(request, asked.length);
      if (said instanceof Error) throw said;
      return { text: said, inputTokens: 10, outputTokens: 2 };
    },
  };
  return { backend, asked };
}

const paracetamol = () => writer(() => 'Paracetamol is safer.');
const judgeWith = (script: Parameters<typeof scriptedJudge>[0], options = {}) => {
  const { ask, asked } = scriptedJudge(script, options);
  const judge = modelJudge({ ...writer(() => '').backend, name: 'demo/judge', generate: ask });
  return { judge, asked };
};
const FOUND = { verdicts: { 'Names paracetamol': { verdict: 'present', quotes: ['Paracetamol'] } } } as const;

const run = (path: string, backend: Backend, judge: Judge, more: Partial<RunQuestionsOptions> = {}) =>
  runQuestions({ suite, backend, judge, path, krisisVersion: '0', seed: 1, maxConcurrency: 2, ...more });

function stored(path: string) {
  const file = RunFile.read(path);
  try {
    return {
      rows: [...file.rows.read({ all: true })].map(({ id, state, stateReason, rawResponse }) => ({
        id,
        state,
        stateReason,
        rawResponse,
      })),
      judgements: [...file.judgements.read()].map(({ recordId, judge, pass, outcome }) => ({
        recordId,
        judge,
        pass,
        verdicts: (outcome as JudgeOutcome).verdicts.map(({ verdict }) => verdict),
      })),
      manifest: file.manifest(),
    };
  } finally {
    file.close();
  }
}

describe('a run of open questions', () => {
  it('asks each question once, and has each answer judged', async () => {
    const path = newPath();
    const { backend, asked } = paracetamol();
    const { judge, asked: judged } = judgeWith(FOUND);
    expect(await run(path, backend, judge)).toMatchObject({ status: 'complete' });
    expect(asked.toSorted()).toEqual(['May I take a?', 'May I take b?', 'May I take c?']);
    expect(judged).toHaveLength(3);
    const { rows, judgements, manifest } = stored(path);
    expect(rows.map(({ state, rawResponse }) => [state, rawResponse])).toEqual(
      Array(3).fill(['answered', 'Paracetamol is safer.']),
    );
    expect(judgements.map(({ verdicts }) => verdicts)).toEqual(Array(3).fill(['present', 'absent']));
    expect(manifest).toMatchObject({ kind: 'text', status: 'complete', judge: { judge: 'demo/judge' } });
  });

  it('asks nothing again when it is done', async () => {
    const path = newPath();
    const model = paracetamol();
    const judge = judgeWith(FOUND);
    await run(path, model.backend, judge.judge);
    await run(path, model.backend, judge.judge);
    expect([model.asked.length, judge.asked.length]).toEqual([3, 3]);
  });

  it('changes nothing in its file when it is done, byte for byte', async () => {
    const path = newPath();
    await run(path, paracetamol().backend, judgeWith(FOUND).judge);
    const before = readFileSync(path);
    const { status } = await run(path, paracetamol().backend, judgeWith(FOUND).judge);
    expect(status).toBe('complete');
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('is interrupted when it is killed after its limit was raised', async () => {
    const path = newPath();
    expect((await run(path, paracetamol().backend, judgeWith(FOUND).judge, { limit: 1 })).status).toBe(
      'complete',
    );
    const killed = new Error('killed');
    const { judge } = judgeWith(FOUND);
    const dying: Judge = { ...judge, backend: { ...judge.backend!, generate: () => Promise.reject(killed) } };
    // An error of the reader of progress simulates a kill: nothing is written after it.
    const onProgress = () => {
      throw killed;
    };
    await expect(run(path, paracetamol().backend, dying, { onProgress })).rejects.toThrow();
    const file = RunFile.read(path);
    expect([file.status(), file.manifest().status]).toEqual(['interrupted', 'running']);
    expect(file.events.read().map(({ kind }) => kind)).toEqual([
      'started',
      'finished',
      'sealed',
      'limit_changed',
      'continued',
    ]);
    file.close();
  });

  it('adds up the seconds of all its sessions', async () => {
    const path = newPath();
    const slow = (ms: number) => {
      const { backend } = paracetamol();
      return {
        ...backend,
        generate: async (request: Parameters<NonNullable<Backend['generate']>>[0]) => {
          await new Promise((resolve) => setTimeout(resolve, ms));
          return backend.generate!(request);
        },
      };
    };
    const { extras: first } = await run(path, slow(60), judgeWith(FOUND).judge, { limit: 1 });
    const { extras: both } = await run(path, slow(60), judgeWith(FOUND).judge);
    expect(both.elapsed_seconds!).toBeGreaterThan(first.elapsed_seconds! + 0.05);
    const file = RunFile.read(path);
    const seconds = file.events.read().map(({ data }) => Number(data.elapsed_seconds ?? 0));
    file.close();
    expect(both.elapsed_seconds).toBeCloseTo(seconds.reduce((sum, n) => sum + n, 0));
  });

  it('adds up the waits of all its sessions', async () => {
    const path = newPath();
    const limited = () => {
      const { backend } = paracetamol();
      let refused = false;
      return {
        ...backend,
        maxRetries: 2,
        generate: async (request: Parameters<NonNullable<Backend['generate']>>[0]) => {
          if (refused) return backend.generate!(request);
          refused = true;
          throw new BackendError('rate_limit', 'slow down', { retryAfterSeconds: 0.4 });
        },
      };
    };
    const { extras: first } = await run(path, limited(), judgeWith(FOUND).judge, { limit: 1 });
    const { extras: both } = await run(path, limited(), judgeWith(FOUND).judge);
    // A busy machine may let part of a wait pass before it is measured.
    expect(first.waited_seconds!).toBeGreaterThan(0.1);
    expect(both.waited_seconds!).toBeGreaterThan(first.waited_seconds! + 0.1);
  });

  it('does not ask a question again because its judge failed', async () => {
    const path = newPath();
    const model = paracetamol();
    const broken = modelJudge(writer(() => new BackendError('auth', 'no key'), 'demo/judge').backend);
    expect(await run(path, model.backend, broken, { maxConcurrency: 1 })).toMatchObject({
      status: 'stopped',
      stoppedBecause: 'auth: no key',
    });
    const { judge } = judgeWith(FOUND);
    expect(await run(path, model.backend, judge)).toMatchObject({ status: 'complete' });
    expect(model.asked, 'each question once').toHaveLength(3);
    expect(stored(path).judgements).toHaveLength(3);
  });

  it('makes items of a judge that gives nothing errors of the judge, never scores', async () => {
    const path = newPath();
    const { judge } = judgeWith(() => 'On the whole a good answer.');
    await run(path, paracetamol().backend, judge);
    expect(stored(path).judgements.map(({ verdicts }) => verdicts)).toEqual(
      Array(3).fill(['judge_error', 'judge_error']),
    );
  });

  it('leaves other judgements as they are when a tenth of the replies is garbage', async () => {
    const clean = newPath();
    const spoiled = newPath();
    await run(clean, paracetamol().backend, judgeWith(FOUND).judge);
    await run(spoiled, paracetamol().backend, judgeWith(FOUND, { garbage: 0.4, seed: 3 }).judge, {
      passes: 4,
    });
    const right = stored(clean).judgements[0]!.verdicts;
    const found = stored(spoiled).judgements.flatMap(({ verdicts }) =>
      verdicts.map((verdict, i) => [verdict, right[i]]),
    );
    const wrong = found.filter(([verdict, expected]) => verdict !== expected);
    expect(wrong.every(([verdict]) => verdict === 'judge_error' || verdict === 'unverified')).toBe(true);
  });

  it('keeps a question that could not be answered as failed, and does not judge it', async () => {
    const path = newPath();
    const { backend } = writer(({ messages }) =>
      messages.at(-1)!.content.includes('b?') ? new BackendError('truncated', 'cut') : 'Paracetamol.',
    );
    const { judge, asked } = judgeWith(FOUND);
    expect(await run(path, backend, judge)).toMatchObject({ status: 'complete' });
    expect(stored(path).rows.map(({ state, stateReason }) => [state, stateReason])).toEqual([
      ['answered', null],
      ['failed', 'truncated'],
      ['answered', null],
    ]);
    expect(asked).toHaveLength(2);
  });

  it('reads answers several times, in several orders', async () => {
    const path = newPath();
    const { judge, asked } = judgeWith(FOUND);
    await run(path, paracetamol().backend, judge, { passes: 2, limit: 1 });
    expect(stored(path).judgements.map(({ pass }) => pass)).toEqual([0, 1]);
    const orders = asked.map(({ items }) => items.map(({ instruction }) => instruction));
    expect(orders[0]).toEqual(orders[1]!.toReversed());
  });

  it('keeps no question of a protected suite', async () => {
    const path = newPath();
    const secret = parseQuestionSuite({
      ...{ name: 'demo/secret', rubric: suite.rubric.toJSON() },
      questions: [{ id: 'a', question: 'CANARY-17 asks: may I?' }],
    });
    const { judge } = judgeWith(FOUND);
    await run(path, writer(() => 'You ask: CANARY-17 asks: may I? Paracetamol.').backend, judge, {
      suite: secret,
    });
    const { rows, judgements } = stored(path);
    expect(JSON.stringify(rows)).not.toContain('CANARY');
    expect(judgements).toHaveLength(1);
    const file = RunFile.read(path);
    expect([...file.records.read()]).toEqual([{ id: 'a', features: null }]);
    file.close();
  });

  it("keeps what the user's own functions say of an answer", async () => {
    const path = newPath();
    const withFunction = parseQuestionSuite(
      {
        name: 'demo/callable',
        sensitivity: 'synthetic',
        rubric: { callable_traits: [{ name: 'short' }] },
        questions: [{ id: 'a', question: 'May I?', should_abstain: false }],
      },
      'questions',
      { short: (answer) => answer.length < 100 },
    );
    await run(path, paracetamol().backend, LEXICAL_JUDGE, { suite: withFunction });
    const file = RunFile.read(path);
    const traits = [...file.judgements.read()].flatMap(({ outcome }) => (outcome as JudgeOutcome).traits);
    file.close();
    expect(traits).toEqual([{ name: 'short', value: true, reason: null }]);
  });

  it('refuses a model that knows labels only', async () => {
    const { generate: _, ...labels } = paracetamol().backend;
    const ran = run(newPath(), labels, LEXICAL_JUDGE);
    await expect(ran).rejects.toThrow('open questions need a model that writes text');
    await expect(ran).rejects.toMatchObject({ code: 'ERR_MODEL_WITHOUT_TEXT' });
    expect(() => modelJudge(labels)).toThrow('cannot judge');
  });
});

describe('judgeRun', () => {
  const options = { krisisVersion: '0', seed: 1, maxConcurrency: 2 } as const;

  it('has stored answers judged by another judge, and by more traits, without asking a question', async () => {
    const path = newPath();
    const model = paracetamol();
    await run(path, model.backend, LEXICAL_JUDGE);
    const { judge } = judgeWith(FOUND);
    await judgeRun({ ...options, path, judge });
    const more = Rubric.parse({
      metric_traits: [{ name: 'dose', metrics: ['recall'], tp_instructions: ['Gives a dose'] }],
    });
    await judgeRun({ ...options, path, judge, rubric: more });
    expect(model.asked).toHaveLength(3);
    const { judgements, manifest } = stored(path);
    expect(
      judgements
        .filter(({ recordId }) => recordId === 'a')
        .map(({ judge: name, verdicts }) => [name, verdicts.length]),
    ).toEqual(
      expect.arrayContaining([
        ['baseline/lexical', 2],
        ['demo/judge', 2],
        ['demo/judge', 1],
      ]),
    );
    expect((manifest.rubricsOf as Record<string, string[]>).a).toHaveLength(2);
  });

  it('refuses a run of labels', async () => {
    const path = newPath();
    const file = RunFile.write(path);
    file.setManifest({ model: 'm' });
    file.close();
    await expect(judgeRun({ ...options, path, judge: LEXICAL_JUDGE })).rejects.toThrow(
      expect.objectContaining({ code: 'ERR_NOT_OPEN_QUESTIONS' }),
    );
  });
});
