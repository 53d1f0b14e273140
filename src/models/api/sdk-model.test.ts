import { describe, expect, it } from 'vitest';
import { wholeReply } from './sdk-model.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('wholeReply', () => {
  it('reads as a real Response does', async () => {
    const headers = { 'content-type': 'application/json', 'retry-after': '3' };
    for (const [status, text] of [
      [200, '{"a":"ü"}'],
      [429, '{"error":{}}'],
    ] as const) {
      const ours = wholeReply(status, headers, bytes(text));
      const real = new Response(text, { status, headers });
      expect([ours.status, ours.ok, ours.headers.get('retry-after'), [...ours.headers]]).toEqual([
        real.status,
        real.ok,
        real.headers.get('retry-after'),
        [...real.headers],
      ]);
      expect(await ours.text()).toBe(await real.text());
      expect(await ours.json()).toEqual(JSON.parse(text));
    }
  });

  it.each(['', 'some text'])('streams its body once: %j', async (text) => {
    const reader = wholeReply(200, {}, bytes(text)).body!.getReader();
    let found = '';
    for (let part = await reader.read(); !part.done; part = await reader.read())
      found += new TextDecoder().decode(part.value);
    expect(found).toBe(text);
    await reader.cancel();
    reader.releaseLock();
  });
});
