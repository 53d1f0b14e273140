import { APICallError } from '@ai-sdk/provider';
import { afterEach, describe, expect, it } from 'vitest';
import { askBatch, askSingle, CLIENTS, INSTRUCTIONS } from './clients.ts';
import type { EmulatorOptions } from './options.ts';
import { type Emulator, startEmulator } from './server.ts';

const open: Emulator[] = [];
afterEach(async () => {
  for (const emulator of open.splice(0)) await emulator.close();
});

async function started(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator(options);
  open.push(emulator);
  return emulator;
}

async function failure(call: Promise<unknown>): Promise<APICallError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!APICallError.isInstance(error)) throw new Error('the call did not fail as a call', { cause: error });
  return error;
}

const CASE = 'Age (years): 61\nCreatinine (mg/dL): 1.9';
const OTHERS = [1, 2, 3, 4, 5, 6, 7].map((n) => `Age (years): ${40 + n}\nCreatinine (mg/dL): 0.${n}`);

describe.each(Object.entries(CLIENTS))('the client of %s', (name, client) => {
  it('gets a good answer to a single case', async () => {
    const { url } = await started({ abstainShare: 0 });
    const { said, finishReason } = await askSingle(client(url), CASE);
    expect(JSON.parse(said)).toEqual({
      reasoning: expect.toBeOneOf([null, expect.any(String)]),
      abstained: false,
      prediction: expect.toBeOneOf(['present', 'absent']),
      confidence: expect.any(Number),
      reason: null,
    });
    expect(finishReason.unified).toBe('stop');
  });

  it('gets an answer for every case of a batch, the same as for each alone', async () => {
    const { url } = await started();
    const texts = [CASE, ...OTHERS];
    const { results } = JSON.parse((await askBatch(client(url), texts)).said);
    const alone = await Promise.all(
      texts.map(async (text) => JSON.parse((await askSingle(client(url), text)).said)),
    );
    expect(results).toEqual(alone.map((answer, i) => ({ id: `case_${i + 1}`, ...answer })));
  });

  it('gets the labels of its own schema', async () => {
    const { url } = await started({ abstainShare: 0 });
    const labels = ['G1', 'G2', 'G3a'];
    const { results } = JSON.parse((await askBatch(client(url), OTHERS, { labels })).said);
    const given = new Set(results.map(({ prediction }: { prediction: string }) => prediction));
    expect(given.size).toBeGreaterThan(1);
    expect(labels).toEqual(expect.arrayContaining([...given]));
  });

  it('is told the tokens, four characters each', async () => {
    const { url } = await started();
    const { usage, said, promptChars } = await askSingle(client(url), CASE);
    expect([usage.inputTokens.total, usage.outputTokens.total]).toEqual([
      Math.ceil(promptChars / 4),
      Math.ceil(said.length / 4),
    ]);
  });

  it('is told to wait, and reads for how long', async () => {
    const { url } = await started({ storm: { from: 0, to: 1, retryAfterSeconds: 77 } });
    const error = await failure(askSingle(client(url), CASE));
    expect([error.statusCode, error.responseHeaders?.['retry-after'], error.isRetryable]).toEqual([
      429,
      '77',
      true,
    ]);
    expect((await askSingle(client(url), CASE)).finishReason.unified).toBe('stop');
  });

  it('meets a refusal in the form of its provider', async () => {
    const { url } = await started({ refusalShare: 1 });
    const { said, finishReason, response } = await askSingle(client(url), CASE);
    expect(said).toBe('');
    // Some have no finish reason for it: only the body tells.
    const inBody = ['openai', 'openai-compatible', 'azure', 'xai'].includes(name);
    expect(finishReason.unified).toBe(inBody ? 'stop' : 'content-filter');
    if (inBody) expect(JSON.stringify(response?.body)).toContain('"refusal":"I\'m sorry');
  });

  it.each([
    ['by a fault', { truncatedShare: 1 }, {}],
    ['by its own limit', {}, { maxOutputTokens: 5 }],
  ])('sees that a reply was cut off %s', async (_, options, ask) => {
    const { url } = await started(options);
    const { said, finishReason, usage } = await askBatch(client(url), [CASE, ...OTHERS], ask);
    expect(finishReason).toMatchObject(
      name === 'xai' ? { unified: 'other', raw: 'incomplete' } : { unified: 'length' },
    );
    // A tool's input that was cut off is an empty object.
    if (said === '{}') expect(name).toMatch(/tool|bedrock/);
    else expect(() => JSON.parse(said)).toThrow();
    if ('maxOutputTokens' in ask) expect(usage.outputTokens.total).toBe(5);
  });

  it('meets an empty reply', async () => {
    const { url } = await started({ emptyShare: 1 });
    const { said, finishReason } = await askSingle(client(url), CASE);
    expect([said, finishReason.unified]).toEqual(['', 'stop']);
  });

  it.each([
    ['missing', { auth: 'missing' }, [401]],
    ['invalid key', { auth: 'invalid' }, [401, 400, 403]],
    ['forbidden', { auth: 'forbidden' }, [403]],
    ['quota', { auth: 'quota' }, [429, 400]],
    ['unknown model', { auth: 'unknown_model' }, [404]],
    ['too long', { contextLimit: 20 }, [400]],
    ['poison', { poison: 'Creatinine' }, [500]],
    ['overloaded', { overloadedShare: 1 }, [503, 529]],
  ] as const)('understands the error: %s', async (_, options, statuses) => {
    const { url } = await started(options);
    const error = await failure(askSingle(client(url), CASE));
    expect(statuses).toContain(error.statusCode);
    // A client that does not understand the body has nothing but the status.
    expect(error.data).toBeDefined();
  });
});

describe('all formats', () => {
  it('give the same case the same answer', async () => {
    const { url } = await started();
    for (const text of [CASE, ...OTHERS]) {
      const answers = await Promise.all(
        Object.values(CLIENTS).map(async (client) => JSON.parse((await askSingle(client(url), text)).said)),
      );
      for (const answer of answers) expect(answer).toEqual(answers[0]);
    }
  });

  it('strike the same prompts with the same faults', async () => {
    const { url } = await started({ refusalShare: 0.5 });
    const refused = (client: (typeof CLIENTS)[string]) =>
      Promise.all(OTHERS.map(async (text) => (await askSingle(client(url), text)).said === ''));
    const first = await refused(CLIENTS.openai!);
    expect(new Set(first).size).toBe(2);
    for (const name of ['anthropic', 'google', 'xai', 'bedrock'])
      expect(await refused(CLIENTS[name]!)).toEqual(first);
  });
});

describe('the emulator', () => {
  const openai = CLIENTS.openai!;

  it('fails a prompt once with a server error, and says something else each time', async () => {
    const { url } = await started({ serverErrorShare: 1 });
    const [a, b] = [await failure(askSingle(openai(url), CASE)), await failure(askSingle(openai(url), 'x'))];
    expect([a.statusCode, b.statusCode]).toEqual([500, 500]);
    expect(a.message).not.toBe(b.message);
    expect((await askSingle(openai(url), CASE)).said).toContain('confidence');
  });

  it('spoils replies to batches, once', async () => {
    const { url } = await started({ malformedShare: 1, malformedKinds: ['prose'] });
    for (const name of ['openai', 'anthropic with a tool']) {
      const ask = () => askBatch(CLIENTS[name]!(url), [CASE, ...OTHERS]);
      // What is said beside a tool is not shown.
      expect((await ask()).said).toMatch(name === 'openai' ? /colleague/ : /^$/);
      expect(JSON.parse((await ask()).said).results).toHaveLength(8);
      expect(JSON.parse((await askSingle(CLIENTS[name]!(url), CASE)).said)).toHaveProperty('confidence');
    }
  });

  it('never lets a poisoned prompt through, and always says the same', async () => {
    const { url } = await started({ poison: 'mg/dL' });
    const messages = [1, 2].map(async () => (await failure(askBatch(openai(url), [CASE, 'fine']))).message);
    expect(new Set(await Promise.all(messages)).size).toBe(1);
    expect((await askSingle(openai(url), 'fine')).finishReason.unified).toBe('stop');
  });

  it('counts a prompt as seen only when it got through to the model', async () => {
    const { url } = await started({ storm: { from: 0, to: 1, retryAfterSeconds: 0 }, emptyShare: 1 });
    expect((await failure(askSingle(openai(url), CASE))).statusCode).toBe(429);
    expect((await askSingle(openai(url), CASE)).said).toBe('');
    expect((await askSingle(openai(url), CASE)).said).not.toBe('');
  });

  it('counts who comes before the announced moment, and nobody else', async () => {
    const emulator = await started({ storm: { from: 1, to: 2, retryAfterSeconds: 600 } });
    const ask = () => askSingle(openai(emulator.url), CASE);
    await ask();
    await failure(ask());
    expect(emulator.stats().early).toBe(0);
    await Promise.all([ask(), ask()]);
    expect(emulator.stats().early).toBe(2);
    const [, told] = emulator.requests;
    expect(told!.waitUntil! - told!.time).toBeGreaterThanOrEqual(600_000);
  });

  it('limits the rate with a bucket', async () => {
    const rateLimit = { perSecond: 0.001, burst: 2, minSeconds: 5, status: 529 } as const;
    const { url, stats } = await started({ rateLimit });
    await Promise.all([askSingle(openai(url), 'a'), askSingle(openai(url), 'b')]);
    const error = await failure(askSingle(openai(url), 'c'));
    expect([error.statusCode, error.responseHeaders?.['retry-after']]).toEqual([529, '1000']);
    expect(stats().byStatus).toEqual({ 200: 2, 529: 1 });
  });

  it("announces a wait in Gemini's body alone where that is asked for", async () => {
    const { url } = await started({
      rateLimit: { perSecond: 0.1, burst: 0, header: 'body', minSeconds: 12 },
    });
    const { responseBody, responseHeaders } = await failure(askSingle(CLIENTS.google!(url), CASE));
    expect(responseHeaders).not.toHaveProperty('retry-after');
    expect(JSON.parse(responseBody!).error.details[1].retryDelay).toBe('12s');
  });

  it('runs out of quota after some requests', async () => {
    const { url } = await started({ quotaAfter: 1 });
    await askSingle(openai(url), CASE);
    expect((await failure(askSingle(openai(url), 'other'))).responseBody).toContain('insufficient_quota');
  });

  it('breaks connections, and leaves others without an answer', async () => {
    const resetting = await started({ resetShare: 1 });
    await expect(askSingle(openai(resetting.url), CASE)).rejects.toThrow();
    expect(resetting.stats().byStatus).toEqual({ reset: 1 });
    const stalling = await started({ stallShare: 1 });
    const abort = new AbortController();
    const call = askSingle(openai(stalling.url), CASE, { abortSignal: abort.signal });
    while (stalling.stats().byStatus.stalled === undefined) await new Promise(setImmediate);
    abort.abort();
    await expect(call).rejects.toThrow('abort');
  });

  it('notices who left before the answer', async () => {
    const emulator = await started({ latencyMs: () => 50 });
    const abort = new AbortController();
    const call = askSingle(openai(emulator.url), CASE, { abortSignal: abort.signal });
    while (emulator.stats().prompts === 0) await new Promise(setImmediate);
    abort.abort();
    await expect(call).rejects.toThrow('abort');
    while (Object.keys(emulator.stats().byStatus).length === 0) await new Promise(setImmediate);
    expect(emulator.stats()).toMatchObject({ byStatus: { gone: 1 }, okByPrompt: {} });
  });

  it('repeats the patient in replies and errors when it is to', async () => {
    const { url } = await started({ echo: true, serverErrorShare: 1 });
    expect((await failure(askSingle(openai(url), CASE))).message).toContain(CASE);
    const { said } = await askSingle(openai(url), CASE);
    expect(said).toContain(CASE);
    expect(JSON.parse(said.slice(said.lastIndexOf('\n{')))).toHaveProperty('prediction');
  });

  it('keeps what was asked', async () => {
    const emulator = await started({ record: true });
    await askSingle(CLIENTS.anthropic!(emulator.url), CASE);
    const [request] = emulator.requests;
    expect(request).toMatchObject({ path: '/v1/messages', status: 200, headers: { 'x-api-key': 'none' } });
    expect(JSON.parse(request!.body!).system[0].text).toBe(INSTRUCTIONS);
    const silent = await started();
    await askSingle(openai(silent.url), CASE);
    expect(silent.requests[0]!.body).toBeNull();
  });

  it('counts how often the same prompt came, and was answered', async () => {
    const emulator = await started({ truncatedShare: 1 });
    for (const text of [CASE, CASE, CASE, 'other']) await askSingle(openai(emulator.url), text);
    expect(emulator.stats()).toMatchObject({
      requests: 4,
      byStatus: { 200: 4 },
      prompts: 2,
      repeated: 1,
      okByPrompt: { 1: 1, 3: 1 },
      goodByPrompt: { 2: 1 },
      maxInFlight: 1,
    });
    emulator.reset();
    expect(emulator.stats()).toMatchObject({ requests: 0, byStatus: {}, prompts: 0 });
  });

  it('says what is wrong with a request that it cannot read', async () => {
    const { url } = await started();
    const post = (path: string, body: string) => fetch(url + path, { method: 'POST', body });
    expect((await post('/v1/chat/completions', '{"messages":')).status).toBe(400);
    expect((await post('/v1/messages', '{"messages":[],"stream":true}')).status).toBe(400);
    expect((await post('/v1/embeddings', '{}')).status).toBe(404);
  });

  it('answers without a schema, with the labels it was given', async () => {
    const { url } = await started({ labels: ['yes'], abstainShare: 0 });
    const ask = async (content: string) => {
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });
      const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body });
      return JSON.parse(((await response.json()) as Chat).choices[0].message.content);
    };
    expect(await ask('What is it?')).toMatchObject({ prediction: 'yes' });
    const { results } = await ask('<case id="a">x</case><case id="b">y</case>');
    expect(results.map(({ id }: { id: string }) => id)).toEqual(['a', 'b']);
  });
});

interface Chat {
  choices: [{ message: { content: string } }];
}
