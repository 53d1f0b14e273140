import { describe, expect, it } from 'vitest';
import { wholeReply, withReasoningStatus } from '../sdk-model.ts';

const read = async (body: string, status = 200) => {
  const reply = wholeReply(status, { 'content-type': 'application/json' }, Buffer.from(body));
  const given = await withReasoningStatus(async () => reply)('http://127.0.0.1');
  return { text: await given.text(), isSame: given === reply, type: given.headers.get('content-type') };
};
const message = { type: 'message', status: 'completed', content: [] };

describe('withReasoningStatus', () => {
  it('fills in the status of reasoning, and changes nothing else', async () => {
    const { text, type } = await read(
      JSON.stringify({ id: 'r', output: [{ type: 'reasoning', id: 'x' }, message] }),
    );
    expect(JSON.parse(text)).toEqual({
      id: 'r',
      output: [{ type: 'reasoning', id: 'x', status: 'completed' }, message],
    });
    expect(type).toBe('application/json');
  });

  it.each([
    ['a status', JSON.stringify({ output: [{ type: 'reasoning', status: 'incomplete' }, message] })],
    ['no reasoning', JSON.stringify({ output: [message] })],
    ['no list', '{"output": "reasoning", "type": "reasoning"}'],
    ['null', '["reasoning", null]'],
    ['no JSON', '<html>"reasoning"'],
    [
      'another item without a status',
      JSON.stringify({ output: [null, { type: 'message' }], x: 'reasoning' }),
    ],
  ])('leaves a reply as it is that has %s', async (_, body) => {
    expect(await read(body)).toMatchObject({ text: body, isSame: true });
  });

  it('leaves an error as it is', async () => {
    const body = JSON.stringify({ output: [{ type: 'reasoning' }] });
    expect(await read(body, 500)).toMatchObject({ text: body, isSame: true });
  });
});
