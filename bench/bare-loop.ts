import { Pool } from 'undici';

/** The physical limit: the same requests over an undici Pool and nothing else. Prints how many came back. */
const [url, n, concurrency] = process.argv.slice(2) as [string, string, string];
const pool = new Pool(url, { connections: Number(concurrency), pipelining: 1 });
const schema = {
  type: 'object',
  properties: {
    prediction: { anyOf: [{ type: 'string', enum: ['low', 'high'] }, { type: 'null' }] },
    abstained: { type: 'boolean' },
    confidence: { anyOf: [{ type: 'number' }, { type: 'null' }] },
  },
  required: ['prediction', 'abstained', 'confidence'],
  additionalProperties: false,
};
let next = 0;
let right = 0;
await Promise.all(
  Array.from({ length: Number(concurrency) }, async () => {
    while (next < Number(n)) {
      const i = next++;
      const { body } = await pool.request({
        path: '/v1/chat/completions',
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
        body: JSON.stringify({
          model: 'bench',
          messages: [
            { role: 'system', content: 'x'.repeat(1200) },
            { role: 'user', content: `<case>\nAge (years): ${i % 90}\nNumber: ${i}\n</case>` },
          ],
          response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
        }),
      });
      const reply = (await body.json()) as { choices: { message: { content: string } }[] };
      if (JSON.parse(reply.choices[0]!.message.content).abstained !== undefined) right += 1;
    }
  }),
);
console.log(right);
await pool.close();
