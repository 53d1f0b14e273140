import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { answerRequest } from '../src/engine/questions/answer-prompt.ts';
import { run as runQuestions } from '../src/engine/run.ts';
import { apiBackend } from '../src/models/api/api-backend.ts';
import { modelJudge } from '../src/models/judge.ts';
import { judgePrompt } from '../src/rubrics/judge/judge-prompt.ts';
import { parseQuestionSuite } from '../src/suites/questions/question-suite.ts';
import { spawnEmulator } from '../test/emulator/spawn.ts';
import { report } from './fixture.ts';

/** What answering and judging open questions of ten items costs, beside a bare loop over an undici Pool that sends the same two requests for each. */
const N = 1000;
const CONCURRENCY = 64;
const ROUNDS = 12;
const suite = parseQuestionSuite({
  name: 'bench/open',
  sensitivity: 'synthetic',
  rubric: {
    metric_traits: [
      {
        name: 'facts',
        metrics: ['recall'],
        tp_instructions: Array.from({ length: 10 }, (_, i) => `Names fact ${i}`),
      },
    ],
  },
  questions: Array.from({ length: N }, (_, i) => ({ id: `q${i}`, question: `Question ${i}?` })),
});
const folder = mkdtempSync(join(tmpdir(), 'krisis-bench-'));
const { url, close } = await spawnEmulator({ latencyMs: 20 });
let made = 0;
try {
  let bare = Number.POSITIVE_INFINITY;
  let ours = Number.POSITIVE_INFINITY;
  let scored = Number.POSITIVE_INFINITY;
  // In turns, so that both meet the same machine.
  for (let i = 0; i < ROUNDS; i++) {
    bare = Math.min(bare, await seconds(bareLoop));
    const started = performance.now();
    const answered = await krisis();
    ours = Math.min(ours, (answered - started) / 1000);
    scored = Math.min(scored, (performance.now() - started) / 1000);
  }
  console.log(
    `${N} questions, two calls each at 20 ms: bare ${bare.toFixed(2)} s, krisis ${ours.toFixed(2)} s, with its scores ${scored.toFixed(2)} s`,
  );
  report('answering and judging / bare two-stage loop', ours / bare, 1.2);
} finally {
  await close();
  rmSync(folder, { recursive: true });
}

/** Gives back the moment at which the last answer was judged; scoring comes after it. */
async function krisis(): Promise<number> {
  let answered = 0;
  const options = { baseUrl: `${url}/v1`, connections: CONCURRENCY };
  const { status } = await runQuestions({
    suite,
    backend: await apiBackend('openai-compatible/bench', options),
    judge: modelJudge(await apiBackend('openai-compatible/judge', options)),
    krisisVersion: 'bench',
    seed: 42,
    maxConcurrency: CONCURRENCY,
    path: join(folder, `${++made}.db`),
    onProgress: ({ done, total }) => {
      if (done === total && answered === 0) answered = performance.now();
    },
  });
  if (status !== 'complete') throw new Error(status);
  return answered;
}

async function bareLoop(): Promise<void> {
  const pool = new Pool(url, { connections: CONCURRENCY, pipelining: 1 });
  const ask = async (messages: unknown, schema: object | null) => {
    const { body } = await pool.request({
      path: '/v1/chat/completions',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'bench',
        messages,
        ...(schema && { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } }),
      }),
    });
    const reply = (await body.json()) as { choices: { message: { content: string } }[] };
    return reply.choices[0]!.message.content;
  };
  const asked = suite.questions[0]!.rubric.judgeQuestions();
  let next = 0;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (next < N) {
        const { question } = suite.questions[next++]!;
        const answer = await ask(answerRequest(suite.task, { question, messages: null }).messages, null);
        const { messages, schema } = judgePrompt({ question, answer, ...asked, seed: 42, pass: 0 });
        JSON.parse(await ask(messages, schema ?? null));
      }
    }),
  );
  await pool.close();
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
