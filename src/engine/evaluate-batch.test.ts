import { describe, expect, it } from 'vitest';
import {
  type Asked,
  allYes,
  memoryRun,
  recordsOf,
  response,
  scriptedBackend,
  task,
} from '../../test/engine-fixture.ts';
import type { Fault } from '../core/fault.ts';
import type { Backend, BackendResponse, BackendSettings } from '../models/backend.ts';
import { BackendError } from '../models/backend-error.ts';
import { defineBackend } from '../models/define-backend.ts';
import { RunStopped } from '../transports/transport.ts';
import { declaredTemplate } from './call-context.ts';
import { evaluateBatch } from './evaluate-batch.ts';

type Script = (asked: Asked) => readonly BackendResponse[] | Promise<readonly BackendResponse[]>;

async function run(ids: string, script: Script, settings: BackendSettings = {}, repeat = 0) {
  const backend = scriptedBackend(script, settings);
  const journal = memoryRun();
  const reported: string[] = [];
  await evaluateBatch(recordsOf(ids), {
    journal,
    backend,
    task,
    repeat,
    onRow: ({ id }) => reported.push(id),
  });
  const rows = [...ids].map((id) => journal.entered.get(`${repeat}:${id}`)!);
  /** `a:answered`, `b:failed_truncated`. */
  const states = rows.map(
    ({ id, state, stateReason }) =>
      `${id}:${state}${state === 'failed' || state === 'invalid' ? `_${stateReason}` : ''}`,
  );
  expect(reported.sort(), 'every row is reported once').toEqual([...ids].sort());
  return { calls: backend.calls, rows, states, totals: journal.calls.totals(), seen: backend.seen };
}

const broken = (fault: Fault, partial: readonly (BackendResponse | null)[] = []) =>
  new BackendError(fault, `reply is ${fault}`, { partial });
const answered = (ids: string) => [...ids].map((id) => `${id}:answered`);

describe('a batch that is answered', () => {
  it('is asked once', async () => {
    const { calls, states, totals } = await run('abcdefgh', allYes);
    expect(calls).toEqual(['abcdefgh']);
    expect(states).toEqual(answered('abcdefgh'));
    expect(totals).toMatchObject({ calls: 1, splits: 0, singleFallbacks: 0 });
  });

  it('shows the backend id and features, and nothing else', async () => {
    const hidden = (id: string) => ({
      id,
      features: { value: 1 },
      get label(): string {
        throw new Error('the label was read');
      },
      get metadata(): object {
        throw new Error('the metadata were read');
      },
    });
    const backend = scriptedBackend(({ ids, mode }) => {
      if (mode === 'batch') throw broken('malformed');
      return allYes({ ids } as Asked);
    });
    const journal = memoryRun();
    await evaluateBatch([hidden('a'), hidden('b')], { journal, backend, task, repeat: 0 });
    expect(backend.calls).toEqual(['ab', 'a', '(a)', 'b', '(b)']);
    for (const record of backend.seen) expect(Object.keys(record)).toEqual(['id', 'features']);
    expect(journal.entered.size).toBe(2);
  });
});

describe('a batch reply that cannot be used', () => {
  it.each(['malformed', 'truncated', 'empty', 'short'] as const)(
    'is split in halves, down to single cases: %s',
    async (fault) => {
      const { calls, states, totals } = await run('abcdefgh', (asked) => {
        if (asked.ids.length > 1) throw broken(fault);
        return allYes(asked);
      });
      expect(calls).toEqual([
        'abcdefgh',
        ...['abcd', 'ab', 'a', 'b', 'cd', 'c', 'd'],
        ...['efgh', 'ef', 'e', 'f', 'gh', 'g', 'h'],
      ]);
      expect(states).toEqual(answered('abcdefgh'));
      expect(totals).toMatchObject({ calls: 15, splits: 7, singleFallbacks: 0, retries: 0 });
    },
  );

  it('gives the odd one to the first half', async () => {
    const { calls } = await run('abcde', (asked) => {
      if (asked.ids === 'abcde') throw broken('malformed');
      return allYes(asked);
    });
    expect(calls).toEqual(['abcde', 'abc', 'de']);
  });

  it('is too short or too long: the answers cannot be matched to records', async () => {
    const wrongLength = (by: number) => async (asked: Asked) =>
      asked.ids === 'abcd' ? Array.from({ length: 4 + by }, () => response()) : allYes(asked);
    expect((await run('abcd', wrongLength(-1))).calls).toEqual(['abcd', 'ab', 'cd']);
    expect((await run('abcd', wrongLength(1))).calls).toEqual(['abcd', 'ab', 'cd']);
    expect((await run('abcd', wrongLength(-4))).calls).toEqual(['abcd', 'ab', 'cd']);
  });

  it('has holes: what is there is kept', async () => {
    const { calls, states } = await run('abcd', (asked) =>
      asked.ids === 'abcd' ? [response(), null as never, response(), undefined as never] : allYes(asked),
    );
    expect(calls).toEqual(['abcd', 'b', 'd']);
    expect(states).toEqual(answered('abcd'));
  });

  it('is no list at all', async () => {
    const { calls, states } = await run('ab', (asked) =>
      asked.ids === 'ab' ? ({ a: 'yes', b: 'no' } as never) : allYes(asked),
    );
    expect(calls).toEqual(['ab', 'a', 'b']);
    expect(states).toEqual(answered('ab'));
  });
});

describe('a reply that is partly good', () => {
  it('keeps the good rows and never asks for them again', async () => {
    const { calls, states } = await run('abcdefgh', (asked) => {
      if (asked.ids === 'abcdefgh')
        throw broken(
          'malformed',
          [...asked.ids].map((id) => ('aceg'.includes(id) ? response({ confidence: 0.9 }) : null)),
        );
      return allYes(asked);
    });
    expect(calls).toEqual(['abcdefgh', 'bd', 'fh']);
    expect(states).toEqual(answered('abcdefgh'));
  });

  it('keeps what came before the cut', async () => {
    const { calls, rows } = await run('abcd', (asked) => {
      if (asked.ids === 'abcd') throw broken('truncated', [response({ confidence: 0.1 })]);
      return [...asked.ids].map(() => response({ confidence: 0.2 }));
    });
    expect(calls).toEqual(['abcd', 'bc', 'd']);
    expect(rows.map(({ confidence }) => confidence)).toEqual([0.1, 0.2, 0.2, 0.2]);
  });

  it('asks for a last row alone', async () => {
    const { calls } = await run('abc', (asked) => {
      if (asked.ids === 'abc') throw broken('malformed', [response(), response(), null]);
      return allYes(asked);
    });
    expect(calls).toEqual(['abc', 'c']);
  });

  it('needs no more when nothing is missing', async () => {
    const { calls, states } = await run('ab', () => {
      throw broken('malformed', [response(), response()]);
    });
    expect(calls).toEqual(['ab']);
    expect(states).toEqual(answered('ab'));
  });
});

describe('a single reply that cannot be used', () => {
  it.each(['malformed', 'truncated', 'empty', 'short', 'not_recorded'] as const)(
    'gets exactly one evaluate, then fails: %s',
    async (fault) => {
      const { calls, states, totals } = await run('a', () => {
        throw broken(fault);
      });
      expect(calls).toEqual(['a', '(a)']);
      expect(states).toEqual([`a:failed_${fault}`]);
      expect(totals).toMatchObject({ calls: 2, splits: 0, singleFallbacks: 1, retries: 0 });
    },
  );

  it('is good when evaluate succeeds, and says that it was asked singly', async () => {
    const { calls, rows } = await run('a', (asked) => {
      if (asked.mode === 'batch') throw broken('malformed');
      return [response({ promptMode: 'single' })];
    });
    expect(calls).toEqual(['a', '(a)']);
    expect(rows[0]).toMatchObject({ state: 'answered', promptMode: 'single' });
  });

  it('fails with the reason of the last call', async () => {
    const { states } = await run('a', ({ mode }) => {
      throw broken(mode === 'batch' ? 'malformed' : 'empty');
    });
    expect(states).toEqual(['a:failed_empty']);
  });

  it('is empty when evaluate gives nothing', async () => {
    const { states } = await run('a', ({ mode }) => {
      if (mode === 'batch') throw broken('malformed');
      return [undefined as never];
    });
    expect(states).toEqual(['a:failed_empty']);
  });

  it('does not end the others', async () => {
    const { calls, states } = await run('abcd', (asked) => {
      if (asked.ids.includes('c')) throw broken('truncated');
      return allYes(asked);
    });
    expect(calls).toEqual(['abcd', 'ab', 'cd', 'c', '(c)', 'd']);
    expect(states).toEqual(['a:answered', 'b:answered', 'c:failed_truncated', 'd:answered']);
  });
});

describe('a well-formed reply outside the schema', () => {
  it.each<[string, object, string]>([
    ['a label that is not in the task', { prediction: 'maybe' }, 'invalid_label_not_in_task'],
    ['no answer', { prediction: null }, 'invalid_no_answer'],
    ['a blank answer', { prediction: ' ' }, 'invalid_no_answer'],
    ['a list for an answer', { prediction: ['yes'] }, 'invalid_prediction_is_no_label'],
    ['an object for an answer', { prediction: { label: 'yes' } }, 'invalid_prediction_is_no_label'],
    ['abstained that is text', { abstained: 'false' }, 'invalid_abstained_is_no_boolean'],
    ['abstained that is missing', { abstained: undefined }, 'invalid_abstained_is_no_boolean'],
    ['what the backend says is invalid', { invalid: 'extra_field' }, 'invalid_extra_field'],
  ])('is invalid at once, and never asked again: %s', async (_, answer, state) => {
    const { calls, states } = await run('ab', () => [{ ...response(), ...answer }, response()]);
    expect(calls).toEqual(['ab']);
    expect(states).toEqual([`a:${state}`, 'b:answered']);
  });

  it('is refused when the model refused, whatever else it says', async () => {
    const { calls, states } = await run('ab', () => [
      response({ refused: true, invalid: 'no JSON' }),
      response(),
    ]);
    expect(calls).toEqual(['ab']);
    expect(states).toEqual(['a:refused', 'b:answered']);
  });

  it('keeps no answer that no reader could read back', async () => {
    const { rows } = await run('a', () => [{ ...response(), prediction: ['yes'] as never }]);
    expect(rows[0]!.prediction).toBeNull();
  });
});

describe('what an answer holds', () => {
  it('is an answer in whatever spelling of the label', async () => {
    const { states } = await run('ab', () => [response({ prediction: ' YES ' }), response()]);
    expect(states).toEqual(answered('ab'));
  });

  it('is an abstention when the model abstains, whatever else it says', async () => {
    const { states, rows } = await run('a', () => [response({ abstained: true, prediction: 'maybe' })]);
    expect(states).toEqual(['a:abstained']);
    expect(rows[0]!.abstained).toBe(true);
  });

  it.each([['high'], [Number.NaN], [Number.POSITIVE_INFINITY], [null], [undefined]])(
    'is an answer without confidence when that is %s',
    async (confidence) => {
      const { rows } = await run('a', () => [{ ...response(), confidence: confidence as never }]);
      expect(rows[0]).toMatchObject({ state: 'answered', confidence: null });
    },
  );

  it('keeps a confidence that is a number, also outside 0 to 1: scoring counts it', async () => {
    const { rows } = await run('a', () => [response({ confidence: 95 })]);
    expect(rows[0]!.confidence).toBe(95);
  });

  it('is complete, whatever a backend of a config leaves out', async () => {
    const bare = { prediction: 'yes', abstained: false, rawResponse: { said: 'yes' } };
    const { rows } = await run('a', () => [bare as never]);
    expect(rows[0]).toEqual({
      id: 'a',
      repeat: 0,
      state: 'answered',
      stateReason: null,
      prediction: 'yes',
      abstained: false,
      confidence: null,
      urgent: null,
      deferralReason: null,
      confidenceSource: 'stated',
      rawResponse: '{"said":"yes"}',
      prompt: null,
      promptMode: 'single',
      inputTokens: null,
      outputTokens: null,
      totalTokens: null,
      tokensEstimated: false,
      repaired: false,
      tokenConfidence: null,
      replyOrder: null,
      replySpan: null,
      attempt: 0,
      latencyMs: expect.any(Number),
    });
  });

  it.each([
    ['data_missing', 'data_missing'],
    ['Mrs Miller has no creatinine', null],
    [{ why: 'uncertain' }, null],
    [undefined, null],
  ])('keeps a reason for deferring only if it was offered: %j', async (deferralReason, kept) => {
    const { rows } = await run('a', () => [
      response({ abstained: true, deferralReason: deferralReason as never }),
    ]);
    expect(rows[0]).toMatchObject({ state: 'abstained', deferralReason: kept });
  });

  it('keeps no reason for deferring where the model answered, and keeps its confidence where it did not', async () => {
    const { rows } = await run('ab', () => [
      response({ deferralReason: 'uncertain' }),
      response({ abstained: true, confidence: 0.4 }),
    ]);
    expect(rows[0]!.deferralReason).toBeNull();
    expect(rows[1]!.confidence).toBe(0.4);
  });

  it("keeps the order of the reply's fields and the row's own part of it", async () => {
    const replySpan = { start: 12, end: 80 };
    const { rows } = await run('a', () => [response({ replyOrder: 'abstained,prediction', replySpan })]);
    expect(rows[0]).toMatchObject({ replyOrder: 'abstained,prediction', replySpan });
  });
});

describe('how a record was asked', () => {
  const own = (more: object = {}) =>
    defineBackend({
      name: 'mine',
      evaluate: () => ({ prediction: 'yes', abstained: false, inputTokens: 5, ...more }),
    });
  const askAndReadRows = async (backend: Backend, isProtected = false) => {
    const journal = memoryRun();
    const { messages: promptTemplate } = declaredTemplate(backend);
    await evaluateBatch(recordsOf('abc'), { journal, backend, task, repeat: 0, isProtected, promptTemplate });
    return [...journal.entered.values()];
  };

  it('is alone when the backend has no batches, whatever the batch size; then its tokens are its own', async () => {
    for (const row of await askAndReadRows(own()))
      expect(row).toMatchObject({ promptMode: 'single', tokensEstimated: false });
  });

  it('is in a batch when it shared the prompt, and alone when no other record was there', async () => {
    const modes = async (ids: string) => (await run(ids, allYes)).rows.map(({ promptMode }) => promptMode);
    expect(await modes('ab')).toEqual(['batch', 'batch']);
    expect(await modes('a')).toEqual(['single']);
  });

  it('is stored without a prompt that is not a declared template, if the records are protected', async () => {
    const filled = [{ role: 'user', content: 'a potassium of about five and a half mmol/L' }] as const;
    const template = [{ role: 'user', content: 'a potassium of {{value}} mmol/L' }] as const;
    const prompts = async (backend: Backend) =>
      (await askAndReadRows(backend, true)).map(({ prompt }) => prompt);
    expect(await prompts(own({ prompt: filled }))).toEqual([null, null, null]);
    const forged = { ...own({ prompt: filled }), parameters: { prompt_frame: 'x' } };
    expect(await prompts(forged), 'a parameter proves nothing').toEqual([null, null, null]);
    expect(await prompts({ ...own({ prompt: filled }), promptTemplate: template })).toEqual([
      null,
      null,
      null,
    ]);
    const declared = { ...own({ prompt: structuredClone(template) }), promptTemplate: template };
    expect(await prompts(declared)).toEqual([template, template, template]);
    expect(await prompts({ ...own(), promptTemplate: template })).toEqual([template, template, template]);
    expect(
      (await askAndReadRows(own({ prompt: filled })))[0]!.prompt,
      'of public records it is kept',
    ).toEqual(filled);
  });

  it('says which part of a shared reply is its own', async () => {
    const text = '[{"p": "yes"}, {"p": "no"}]';
    const spans = async (...given: object[]) => {
      const { rows } = await run('ab', () => given.map((more) => response({ rawResponse: text, ...more })));
      return rows.map(({ replySpan }) => replySpan && text.slice(replySpan.start, replySpan.end));
    };
    expect(await spans({}, {})).toEqual(['{"p": "yes"}', '{"p": "no"}']);
    expect(await spans({ replySpan: { start: 1, end: 4 } }, { replySpan: { start: 4, end: 6 } })).toEqual([
      '{"p',
      '":',
    ]);
    expect(await spans({ rawResponse: 'yes' }, { rawResponse: 'no' })).toEqual([null, null]);
    for (const wrong of [{ start: 3, end: 1 }, { start: 'x', end: 2 }, { start: 0, end: 99 }, 'all'])
      expect(await spans({ replySpan: wrong }, { replySpan: wrong })).toEqual([null, null]);
  });
});

describe('a call that does not come through', () => {
  it('fails all rows when the provider cannot be reached: smaller questions would fare no better', async () => {
    const { calls, states, totals } = await run(
      'abcd',
      () => {
        throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
      },
      { maxRetries: 2 },
    );
    expect(calls).toEqual(['abcd', 'abcd', 'abcd']);
    expect(states).toEqual(['a', 'b', 'c', 'd'].map((id) => `${id}:failed_network`));
    expect(totals).toMatchObject({ calls: 3, retries: 2, splits: 0 });
  });

  it('fails all rows when the provider takes no more', async () => {
    const { calls, states } = await run(
      'ab',
      () => {
        throw broken('rate_limit');
      },
      { maxRetries: 1 },
    );
    // A provider that says it is busy, and not for how long, gets three times the usual tries.
    expect(calls).toEqual(Array(5).fill('ab'));
    expect(states).toEqual(['a:failed_rate_limit', 'b:failed_rate_limit']);
  });

  it('isolates a poisoned record in a batch of eight, and answers the other seven', async () => {
    const { calls, states, totals } = await run('abcdefgh', (asked) => {
      if (asked.ids.includes('f')) throw new BackendError('server', '500');
      return allYes(asked);
    });
    // The same server error twice ends a question; a row by itself is then not asked a third time.
    expect(calls).toEqual(['abcdefgh', 'abcdefgh', 'abcd', 'efgh', 'efgh', 'ef', 'ef', 'e', 'f', 'f', 'gh']);
    expect(states).toEqual([...'abcdefgh'].map((id) => (id === 'f' ? 'f:failed_server' : `${id}:answered`)));
    expect(totals).toMatchObject({ splits: 3, retries: 4, singleFallbacks: 0 });
  });

  it('splits a batch that takes too long', async () => {
    const { calls, states } = await run(
      'ab',
      (asked) => {
        if (asked.ids === 'ab') throw broken('timeout');
        return allYes(asked);
      },
      { maxRetries: 0 },
    );
    expect(calls).toEqual(['ab', 'a', 'b']);
    expect(states).toEqual(answered('ab'));
  });

  it('stops the run when no call can succeed, and keeps what is answered', async () => {
    const journal = memoryRun();
    const backend = scriptedBackend((asked) => {
      if (asked.ids === 'abcd') throw broken('malformed');
      if (asked.ids === 'cd') throw new BackendError('quota', 'no money left');
      return allYes(asked);
    });
    const options = { journal, task, repeat: 0 };
    await expect(evaluateBatch(recordsOf('abcd'), { ...options, backend })).rejects.toThrow(RunStopped);
    expect([...journal.entered.keys()]).toEqual(['0:a', '0:b']);

    // The user has paid: the question that was turned away is asked again as it was, and nothing before it.
    const paid = scriptedBackend(allYes);
    await evaluateBatch(recordsOf('abcd'), { ...options, backend: paid });
    expect(paid.calls).toEqual(['cd']);
    expect(journal.entered.size).toBe(4);
  });

  it('asks again singly what was turned away singly', async () => {
    const journal = memoryRun();
    const options = { journal, task, repeat: 0 };
    const locked = scriptedBackend(({ mode }) => {
      throw mode === 'batch' ? broken('malformed') : new BackendError('auth', 'no key');
    });
    await expect(evaluateBatch(recordsOf('a'), { ...options, backend: locked })).rejects.toThrow('no key');
    const open = scriptedBackend(allYes);
    await evaluateBatch(recordsOf('a'), { ...options, backend: open });
    expect(open.calls).toEqual(['(a)']);
    expect(journal.entered.get('0:a')!.state).toBe('answered');
  });
});

describe('a backend whose code fails', () => {
  it('is asked in smaller batches, without a wait, and fails only the rows it cannot answer', async () => {
    const { calls, states, totals } = await run(
      'abcd',
      (asked) => {
        if (asked.ids.includes('c')) throw new Error('no idea');
        return allYes(asked);
      },
      { retryBaseSeconds: 3600 },
    );
    expect(calls).toEqual(['abcd', 'ab', 'cd', 'c', '(c)', 'd']);
    expect(states).toEqual(['a:answered', 'b:answered', 'c:failed_backend', 'd:answered']);
    expect(totals).toMatchObject({ retries: 0, splits: 2, singleFallbacks: 1 });
  });

  it('has sent a reply that is not JSON: the batch is split, a single record is asked once more', async () => {
    const { calls, states } = await run('ab', (asked) => {
      if (asked.ids === 'ab' || asked.mode === 'batch') JSON.parse('Sure! ```');
      return allYes(asked);
    });
    expect(calls).toEqual(['ab', 'a', '(a)', 'b', '(b)']);
    expect(states).toEqual(answered('ab'));
  });

  it('stops the run for a mistake in the code, once it is down to one record, and can be continued', async () => {
    const journal = memoryRun();
    const mistaken = scriptedBackend(
      (asked) => {
        if (asked.ids.includes('d')) (undefined as never as { text(): void }).text();
        return allYes(asked);
      },
      { retryBaseSeconds: 3600 },
    );
    const options = { journal, task, repeat: 0 };
    const stopped = await evaluateBatch(recordsOf('abcd'), { ...options, backend: mistaken }).catch((e) => e);
    expect(mistaken.calls).toEqual(['abcd', 'ab', 'cd', 'c', 'd', '(d)']);
    expect(stopped).toBeInstanceOf(RunStopped);
    expect(stopped).toMatchObject({ fault: 'programming_error', cause: expect.any(TypeError) });
    expect(stopped.message).toMatch(
      /^scripted: TypeError: Cannot read properties of undefined .*\(case d\)$/,
    );

    const mended = scriptedBackend(allYes);
    await evaluateBatch(recordsOf('abcd'), { ...options, backend: mended });
    expect(mended.calls).toEqual(['(d)']);
    expect(journal.entered.size).toBe(4);
  });

  it('stops a protected run without the text of the error, and with its places in the code', async () => {
    const backend = scriptedBackend(() => {
      throw new TypeError('Quibblewick');
    });
    const options = { journal: memoryRun(), backend, task, repeat: 0, isProtected: true };
    const stopped = await evaluateBatch(recordsOf('a'), options).catch((error) => error);
    expect(stopped.message).toMatch(/^scripted: a TypeError; the text of the error is withheld/);
    expect(stopped.cause.stack).toContain('evaluate-batch.test.ts');
    expect(`${stopped.stack}${stopped.cause.stack}${stopped.cause.message}`).not.toContain('Quibblewick');
  });
});

describe('keys', () => {
  it('include the repeat: the same records are asked again', async () => {
    const journal = memoryRun();
    const backend = scriptedBackend(allYes);
    for (const repeat of [0, 1, 1]) await evaluateBatch(recordsOf('ab'), { journal, backend, task, repeat });
    expect(backend.calls).toEqual(['ab', 'ab']);
    expect([...journal.entered.keys()]).toEqual(['0:a', '0:b', '1:a', '1:b']);
  });

  it('know ab,c from a,bc', async () => {
    const journal = memoryRun();
    const options = { journal, task, repeat: 0 };
    const bad = scriptedBackend(() => {
      throw broken('malformed', [null]);
    });
    await evaluateBatch(recordsOf(['ab', 'c']), { ...options, backend: bad });
    const good = scriptedBackend(allYes);
    await evaluateBatch(recordsOf(['a', 'bc']), {
      ...options,
      backend: { ...good, evaluateBatch: async (records) => records.map(() => response()) },
    });
    expect([...journal.entered].filter(([, { state }]) => state === 'answered').map(([key]) => key)).toEqual([
      '0:a',
      '0:bc',
    ]);
  });

  it('ask for what is left of a batch that a smaller run answered in part', async () => {
    const journal = memoryRun();
    const options = { journal, task, repeat: 0 };
    await evaluateBatch(recordsOf('ab'), { ...options, backend: scriptedBackend(allYes) });
    const backend = scriptedBackend(allYes);
    await evaluateBatch(recordsOf('abcd'), { ...options, backend });
    expect(backend.calls).toEqual(['cd']);
  });
});

describe('tokens', () => {
  const tokens = (n: number) => ({ inputTokens: 10 * n, outputTokens: n, totalTokens: 11 * n });

  it('of a batch are estimates for each row, of a row alone they are exact', async () => {
    const { rows, totals } = await run('abc', (asked) => {
      if (asked.ids === 'abc')
        throw new BackendError('malformed', 'half', {
          usage: { inputTokens: 30, outputTokens: 3 },
          partial: [response(tokens(1)), response(tokens(1)), null],
        });
      return [response(tokens(2))];
    });
    expect(rows.map(({ tokensEstimated }) => tokensEstimated)).toEqual([true, true, false]);
    expect(rows.map(({ totalTokens }) => totalTokens)).toEqual([11, 11, 22]);
    expect(totals).toMatchObject({ inputTokens: 50, outputTokens: 5, wastedTokens: 0 });
  });

  it('are estimates also where a backend reports only some of them', async () => {
    const { rows } = await run('ab', () => [response({ inputTokens: 4 }), response()]);
    expect(rows.map(({ tokensEstimated }) => tokensEstimated)).toEqual([true, false]);
  });

  it('of a reply of the wrong length are wasted', async () => {
    const { totals } = await run('ab', (asked) =>
      asked.ids === 'ab' ? [response(tokens(1))] : [...asked.ids].map(() => response(tokens(1))),
    );
    expect(totals).toMatchObject({ inputTokens: 30, outputTokens: 3, wastedTokens: 11 });
  });

  it('of failed rows are counted in the run and not in the row', async () => {
    const usage = { inputTokens: 5, outputTokens: 0 };
    const { rows, totals } = await run('a', () => {
      throw new BackendError('empty', 'nothing', { usage });
    });
    expect([rows[0]!.inputTokens ?? null, rows[0]!.totalTokens ?? null]).toEqual([null, null]);
    expect(totals).toMatchObject({ inputTokens: 10, wastedTokens: 10 });
  });
});
