import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/engine-fixture.ts';
import { type JudgeAsked, type Script, scriptedJudge } from '../../../test/scripted-judge.ts';
import type { TextReply, TextRequest } from '../../core/text-request.ts';
import type { Backend } from '../../models/backend.ts';
import { BackendError } from '../../models/backend-error.ts';
import { type Judge, LEXICAL_JUDGE, modelJudge } from '../../models/judge.ts';
import { readRun } from '../../runs/read-run.ts';
import { RunFile } from '../../store/run-file.ts';
import { verifyRun } from '../../store/verify-run.ts';
import { parseQuestionSuite } from '../../suites/questions/question-suite.ts';
import { run as runQuestions } from '../run.ts';
import type { RunOptions } from '../run-options.ts';
import { judgeRun } from './judge-run.ts';
import { recordAnswers } from './recorded-answers.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
let made = 0;
const newPath = () => folder.file(`again-${++made}.db`);

const suite = parseQuestionSuite({
  name: 'demo/open',
  sensitivity: 'synthetic',
  rubric: {
    metric_traits: [
      {
        name: 'advice',
        metrics: ['recall', 'specificity'],
        evaluation_mode: 'full_matrix',
        tp_instructions: ['Names paracetamol', 'Advises a test'],
        tn_instructions: ['Recommends ibuprofen'],
      },
    ],
  },
  questions: ['a', 'b', 'c'].map((id) => ({ id, question: `May I take ${id}?` })),
});

function textBackend(
  name: string,
  generate: (request: TextRequest) => Promise<TextReply>,
  more: Partial<Backend> = {},
): Backend {
  const labelsOnly = async () => {
    throw new Error('no labels here');
  };
  return {
    name,
    retryBaseSeconds: 0.001,
    maxRetries: 0,
    evaluate: labelsOnly,
    evaluateBatch: labelsOnly,
    generate,
    ...more,
  };
}

const writer = textBackend('demo/writer', async () => ({
  text: 'Paracetamol is safer.',
  inputTokens: 10,
  outputTokens: 2,
}));

const PRESENT = { verdict: 'present', quotes: ['Paracetamol'] } as const;
const FOUND = { verdicts: { 'Names paracetamol': PRESENT } } as const;

/** A judge by a script, that may also throw. */
function judgeBy(
  script: (asked: JudgeAsked) => Script | string,
  { name = 'demo/judge', parameters = {} }: { name?: string; parameters?: Record<string, unknown> } = {},
) {
  const { ask, asked } = scriptedJudge(script);
  const more = { parameters: parameters as NonNullable<Backend['parameters']> };
  return { judge: modelJudge(textBackend(name, ask, more)), asked };
}

const run = (path: string, judge: Judge | readonly Judge[], more: Partial<RunOptions> = {}) =>
  runQuestions({ suite, backend: writer, judge, path, krisisVersion: '0', seed: 1, ...more });

const down = () => {
  throw new BackendError('server', 'down');
};

function judgements(path: string) {
  return RunFile.use(path, (file) =>
    [...file.judgements.read()].map(({ recordId, judge, config, attempt }) => ({
      recordId,
      judge,
      config,
      attempt,
    })),
  );
}

describe('a failed judgement', () => {
  it('is asked again by the same command, and what succeeded is not', async () => {
    const path = newPath();
    const failing = judgeBy(({ question }) => (question.endsWith('take a?') ? FOUND : down()));
    const first = await run(path, failing.judge);
    expect(first.judging!.judge.ledger).toMatchObject({ n: 9, judge_error: 6 });
    const healthy = judgeBy(() => FOUND);
    const said: unknown[] = [];
    const second = await run(path, healthy.judge, { onAskAgain: (again) => said.push(again) });
    expect(said).toMatchObject([{ nRows: 0, nJudgements: 2 }]);
    expect(healthy.asked.map(({ question }) => question).sort()).toEqual(['May I take b?', 'May I take c?']);
    expect(second.judging!.judge.ledger).toMatchObject({ n: 9, judge_error: 0, present: 3, absent: 6 });
    expect(judgements(path).map(({ attempt }) => attempt)).toEqual([0, 1, 1]);
    await run(path, healthy.judge);
    expect(healthy.asked, 'nothing is left to ask').toHaveLength(2);
    expect(verifyRun(path).verdict).toBe('verified');
  });

  it('is asked again for the items without a verdict only', async () => {
    const path = newPath();
    const partly = judgeBy(({ items }) => {
      const verdicts = items
        .filter(({ instruction }) => instruction === 'Names paracetamol')
        .map(({ id }) => ({ id, ...PRESENT }));
      return JSON.stringify({ verdicts, traits: [{ name: 'krisis.abstained', value: false }] });
    });
    await run(path, partly.judge);
    const healthy = judgeBy(() => ({}));
    const { judging } = await run(path, healthy.judge);
    expect(healthy.asked).toHaveLength(3);
    for (const { items, traits } of healthy.asked) {
      expect(items.map(({ instruction }) => instruction).sort()).toEqual([
        'Advises a test',
        'Recommends ibuprofen',
      ]);
      expect(traits).toEqual([]);
    }
    expect(judging!.judge.ledger).toMatchObject({ present: 3, absent: 6, judge_error: 0 });
  });

  it('is left alone where failed ones are to be kept', async () => {
    const path = newPath();
    await run(path, judgeBy(down).judge);
    const healthy = judgeBy(() => FOUND);
    await run(path, healthy.judge, { keepFailed: true });
    expect(healthy.asked).toEqual([]);
    await judgeRun({ path, judge: healthy.judge, krisisVersion: '0', keepFailed: true });
    expect(healthy.asked).toEqual([]);
  });

  it('is asked again by judging the run again', async () => {
    const path = newPath();
    await run(path, judgeBy(down).judge);
    const healthy = judgeBy(() => FOUND);
    const { judging } = await judgeRun({ path, judge: healthy.judge, krisisVersion: '0' });
    expect(healthy.asked).toHaveLength(3);
    expect(judging!.judge.ledger).toMatchObject({ judge_error: 0, present: 3 });
  });

  it('does not count as one when the judge could not decide, or quoted words that are not there', async () => {
    const path = newPath();
    const unsure = judgeBy(() => ({
      verdicts: {
        'Names paracetamol': 'unclear',
        'Advises a test': { verdict: 'present', quotes: ['a blood test'] },
      },
    }));
    await run(path, unsure.judge);
    const n = unsure.asked.length;
    await run(path, unsure.judge);
    expect(unsure.asked).toHaveLength(n);
  });
});

describe('the configuration of a judge', () => {
  it('is its full identity: another temperature or other rules judge again, and nothing is mixed', async () => {
    const path = newPath();
    const cold = judgeBy(() => FOUND, { parameters: { temperature: 0 } });
    const warm = judgeBy(() => ({}), { parameters: { temperature: 1 } });
    await run(path, cold.judge);
    const second = await run(path, warm.judge);
    expect(warm.asked).toHaveLength(3);
    expect(second.judging!.judge.ledger).toMatchObject({ n: 9, present: 0, absent: 9 });
    const { judges } = second.judging!.judge;
    expect(judges.map(({ judge }) => judge)).toEqual(['demo/judge', 'demo/judge']);
    expect(new Set(judges.map(({ name }) => name)).size).toBe(2);
    const { manifest } = RunFile.use(path, (file) => ({ manifest: file.manifest() }));
    expect(manifest.judges!.map(({ parameters, passes }) => [parameters, passes])).toEqual([
      [{ temperature: 0 }, 1],
      [{ temperature: 1 }, 1],
    ]);
    const ruled = { ...warm.judge, rules: 'You are strict.' };
    await run(path, ruled);
    expect(warm.asked).toHaveLength(6);
    // The judge asked for last is scored; asking for an earlier one again asks it nothing.
    const third = await run(path, cold.judge);
    expect(cold.asked).toHaveLength(3);
    expect(third.judging!.judge.ledger).toMatchObject({ present: 3 });
    const [config] = manifest.judgeConfigs!;
    expect(readRun(path, { judge: config!.slice(0, 6) }).judging!.judge.ledger).toMatchObject({ present: 0 });
    expect(() => readRun(path, { judge: 'demo/other' })).toThrow(
      expect.objectContaining({ code: 'ERR_JUDGE_NOT_IN_RUN' }),
    );
  });

  it('does not change with the longest reply, which splits calls', async () => {
    const path = newPath();
    const { judge, asked } = judgeBy(() => FOUND);
    await run(path, judge);
    await run(path, { ...judge, maxOutputTokens: 300 });
    expect(asked).toHaveLength(3);
  });

  it('has the rules of the user in place of our own, and keeps them with the run', async () => {
    const path = newPath();
    const sent: string[] = [];
    const { judge } = judgeBy(() => FOUND);
    const listening: Judge = {
      ...judge,
      rules: 'You are a nephrologist. {{answer}}',
      backend: {
        ...judge.backend!,
        generate: (request) => {
          sent.push(request.messages[0]!.content);
          return judge.backend!.generate!(request);
        },
      },
    };
    await run(path, listening);
    expect(sent[0]).toContain('You are a nephrologist. ');
    expect(sent[0]).not.toContain('Paracetamol is safer');
    expect(sent[0]).toContain('Quotes:');
    const { judges } = RunFile.use(path, (file) => file.manifest());
    expect(judges![0]!.rules).toBe('You are a nephrologist. {{answer}}');
    expect(() => modelJudge(judge.backend!, { rules: ' \n' })).toThrow(
      expect.objectContaining({ code: 'ERR_PROMPT_INVALID' }),
    );
  });
});

describe('a jury', () => {
  const member = (name: string, verdict: 'present' | 'absent') =>
    judgeBy(() => ({ verdicts: { 'Names paracetamol': verdict === 'present' ? PRESENT : 'absent' } }), {
      name,
    });

  it('has each answer judged by every judge in all passes, and scores the majority', async () => {
    const path = newPath();
    const jury = [member('x/one', 'present'), member('x/two', 'present'), member('x/three', 'absent')];
    const judges = jury.map(({ judge }) => judge);
    const result = await run(path, judges, { passes: 2 });
    expect(jury.map(({ asked }) => asked.length)).toEqual([6, 6, 6]);
    expect(result.judging!.judge.names).toEqual(['jury (x/one, x/two, x/three)']);
    expect(result.judging!.judge.ledger).toMatchObject({ n: 9, present: 3, absent: 6 });
    expect(result.judging!.jury).toMatchObject({
      mostDifferent: 'x/three',
      judges: [
        { name: 'x/one', passes: 2, calls: 6, tokens: 660, dissent: { dissentRate: expect.any(Number) } },
        { name: 'x/two', calls: 6 },
        { name: 'x/three', calls: 6 },
      ],
    });
    expect(
      result.judging!.jury!.splitItems.map(({ instruction, verdict }) => [instruction, verdict]),
    ).toEqual(Array(3).fill(['Names paracetamol', 'present']));
    expect(result.execution.roles.map(({ role, name, n_calls }) => [role, name, n_calls])).toEqual([
      ['model', 'demo/writer', 3],
      ['judge', 'x/one', 6],
      ['judge', 'x/two', 6],
      ['judge', 'x/three', 6],
    ]);
    await run(path, judges, { passes: 2 });
    expect(jury.map(({ asked }) => asked.length)).toEqual([6, 6, 6]);
    // One of its judges alone, from what is stored.
    expect(readRun(path, { judge: 'x/three' }).judging!.judge.ledger).toMatchObject({ present: 0 });
    expect(readRun(path).judging!.jury).not.toBeNull();
  });

  it('says unclear on a tie, and nothing without a quorum', async () => {
    const tie = [member('x/one', 'present'), member('x/two', 'absent')].map(({ judge }) => judge);
    const { judging } = await run(newPath(), tie);
    expect(judging!.judge.ledger).toMatchObject({ unclear: 3, absent: 6 });
    const broken = [member('x/one', 'present').judge, judgeBy(down, { name: 'x/two' }).judge];
    const left = await run(newPath(), broken);
    expect(left.judging!.judge.ledger).toMatchObject({ judge_error: 9 });
  });

  it('is refused with the same judge twice, and empty', async () => {
    const { judge } = member('x/one', 'present');
    await expect(run(newPath(), [judge, judge])).rejects.toThrow('twice');
    await expect(run(newPath(), [])).rejects.toThrow('no judges');
  });
});

describe('claims', () => {
  const source = { name: 'leaflet', text: 'Paracetamol is safer.' };
  const reply = JSON.stringify({
    claims: [{ claim: 'Paracetamol is safer', verdict: 'supported', source: 'Paracetamol is safer' }],
  });
  const judge = modelJudge(
    textBackend('demo/judge', async ({ messages }) => {
      const isClaims = messages[0]!.content.startsWith('You check the claims');
      return isClaims
        ? { text: reply, inputTokens: 1, outputTokens: 1 }
        : scriptedJudge(FOUND).ask({ messages, template: [] });
    }),
  );

  it('of protected answers are stored as verdicts, without a word', async () => {
    const path = newPath();
    const hidden = { ...suite, sensitivity: 'protected' as const };
    const { judging } = await run(path, judge, { suite: hidden, claims: source });
    expect(judging!.claims).toMatchObject({ pooled: 1, nClaims: 3 });
    expect(judging!.claims!.answers.map(({ claims }) => claims)).toEqual(
      Array(3).fill([{ verdict: 'supported' }]),
    );
    const stored = RunFile.use(path, (file) => JSON.stringify([...file.judgements.read()]));
    expect(stored).not.toContain('Paracetamol is safer');
  });

  it('are refused with a judge without a model, and against an empty source', async () => {
    await expect(run(newPath(), LEXICAL_JUDGE, { claims: source })).rejects.toMatchObject({
      code: 'ERR_JUDGE_WITHOUT_TEXT',
    });
    const empty = { name: 'leaflet', text: ' ' };
    await expect(run(newPath(), judge, { claims: empty })).rejects.toMatchObject({
      code: 'ERR_PROMPT_INVALID',
    });
  });
});

describe('recorded answers', () => {
  it('are refused for a run that holds other answers', async () => {
    const path = newPath();
    const answersPath = folder.file('answers.jsonl');
    const write = (answer: string) =>
      writeFileSync(
        answersPath,
        ['a', 'b', 'c'].map((id) => `${JSON.stringify({ id, answer: `${answer} ${id}` })}\n`).join(''),
      );
    write('Paracetamol');
    const options = { answersPath, questions: suite, krisisVersion: '0', path };
    await recordAnswers(options);
    await judgeRun({ path, judge: LEXICAL_JUDGE, krisisVersion: '0' });
    await recordAnswers(options);
    write('Ibuprofen');
    await expect(recordAnswers(options)).rejects.toMatchObject({ code: 'ERR_ANSWERS_DIFFER' });
    const protectedSuite = { ...suite, sensitivity: 'protected' as const };
    const kept = { ...options, questions: protectedSuite, path: newPath() };
    await recordAnswers(kept);
    await recordAnswers(kept);
    write('Paracetamol');
    await expect(recordAnswers(kept)).rejects.toMatchObject({ code: 'ERR_ANSWERS_DIFFER' });
  });
});
