/**
 * The same requests without Krisis: `node bench/call-loop.ts WAY URL N CONCURRENCY`, where the way is a bare undici pool, the `openai`
 * package or the AI SDK's `generateText`. Nothing is stored or scored. Prints how many answers came back.
 */
const [way, url, n, concurrency] = process.argv.slice(2) as [string, string, string, string];
const model = 'bench';
const schema = {
  type: 'object',
  properties: {
    prediction: { anyOf: [{ type: 'string', enum: ['low', 'high'] }, { type: 'null' }] },
    abstained: { type: 'boolean' },
    confidence: { anyOf: [{ type: 'number' }, { type: 'null' }] },
  },
  required: ['prediction', 'abstained', 'confidence'],
  additionalProperties: false,
} as const;
const system = 'x'.repeat(1200);
const question = (i: number) => `<case>\nAge (years): ${i % 90}\nNumber: ${i}\n</case>`;
const body = (i: number) => ({
  model,
  messages: [
    { role: 'system' as const, content: system },
    { role: 'user' as const, content: question(i) },
  ],
  response_format: {
    type: 'json_schema' as const,
    json_schema: { name: 'answer', strict: true, schema },
  },
});

/** Asks about one case; answers the text of the reply. */
type Ask = (i: number) => Promise<string | null>;

const WAYS: Record<string, () => Promise<Ask>> = {
  async pool() {
    const { Pool } = await import('undici');
    const pool = new Pool(url, { connections: Number(concurrency), pipelining: 1 });
    return async (i) => {
      const { body: reply } = await pool.request({
        path: '/v1/chat/completions',
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
        body: JSON.stringify(body(i)),
      });
      const { choices } = (await reply.json()) as { choices: { message: { content: string } }[] };
      return choices[0]!.message.content;
    };
  },
  async openai() {
    const { default: OpenAI } = await import('openai');
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 });
    return async (i) => (await client.chat.completions.create(body(i))).choices[0]!.message.content;
  },
  async 'ai-sdk'() {
    const { generateText, jsonSchema, Output } = await import('ai');
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const provider = createOpenAICompatible({
      name: 'bench',
      baseURL: `${url}/v1`,
      apiKey: 'none',
      supportsStructuredOutputs: true,
    });
    const output = Output.object({ schema: jsonSchema(schema) });
    return async (i) => {
      const { text } = await generateText({
        model: provider(model),
        system,
        prompt: question(i),
        output,
        maxRetries: 0,
      });
      return text;
    };
  },
};

const ask = await WAYS[way]!();
let next = 0;
let answered = 0;
await Promise.all(
  Array.from({ length: Number(concurrency) }, async () => {
    while (next < Number(n)) if (JSON.parse((await ask(next++))!).abstained !== undefined) answered += 1;
  }),
);
console.log(answered);
// Open connections would keep the process alive.
process.exit();
