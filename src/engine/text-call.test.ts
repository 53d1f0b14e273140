import { describe, expect, it } from 'vitest';
import { memoryRun, scriptedBackend } from '../../test/engine-fixture.ts';
import type { Backend } from '../models/backend.ts';
import { makeTextCall } from './text-call.ts';

const call = (generate: Backend['generate']) =>
  makeTextCall(
    {
      key: 'k',
      mode: 'single',
      repeat: 0,
      record: { id: 'a', features: {} },
      request: {
        messages: [{ role: 'user', content: 'Why?' }],
        template: [{ role: 'user', content: '{{question}}' }],
      },
    },
    { journal: memoryRun(), backend: { ...scriptedBackend(() => []), ...(generate && { generate }) } },
  );

describe('makeTextCall', () => {
  it.each([[undefined], [null], [{}], [{ text: 1 }]])(
    'takes a reply of a backend without text for an empty one: %j',
    async (reply) => {
      const { error } = await call(async () => reply as never);
      expect(error).toMatchObject({ fault: 'empty', message: 'scripted gave no text' });
    },
  );

  it('stops the run for a mistake in the code of the backend', async () => {
    const mistaken = call(async () => (undefined as never as { text: never }).text);
    await expect(mistaken).rejects.toMatchObject({ name: 'RunStopped', fault: 'programming_error' });
  });
});
