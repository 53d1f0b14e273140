import { describe, expect, it } from 'vitest';
import { checkQueue, type QueueOptions } from './queue-transport.ts';

const SECRET = 'a secret for tests that is long enough';
const FINE: QueueOptions = { url: 'redis://127.0.0.1:6379', model: 'openai/m', api: {}, secret: SECRET };

describe('what a queue may be used for', () => {
  it.each<[string, Partial<QueueOptions>]>([
    ['data that are not protected', {}],
    ['protected data on this machine', { allow: [] }],
    ['protected data elsewhere over an encrypted connection', { allow: [], url: 'rediss://queue.example' }],
  ])('is %s', (_, given) => {
    expect(() => checkQueue({ ...FINE, ...given })).not.toThrow();
  });

  it.each<[string, Partial<QueueOptions>, string]>([
    ['an address that is not one of Redis', { url: 'http://user:hunter2@queue.example' }, 'ERR_QUEUE_URL'],
    ['a model that is not behind an API', { model: 'simulated/careful' }, 'ERR_QUEUE_MODEL'],
    ['a secret that can be guessed', { secret: 'short' }, 'ERR_QUEUE_SECRET'],
    ['no secret', { secret: undefined as never }, 'ERR_QUEUE_SECRET'],
    [
      'protected data elsewhere over an open connection',
      { allow: [], url: 'redis://user:hunter2@queue.example' },
      'ERR_QUEUE_NOT_ENCRYPTED',
    ],
    [
      'protected data elsewhere over a connection whose settings turn encryption off',
      { allow: [], url: 'rediss://queue.example?tls=' },
      'ERR_QUEUE_NOT_ENCRYPTED',
    ],
  ])('is not %s', (_, given, code) => {
    const check = () => checkQueue({ ...FINE, ...given });
    expect(check).toThrow(expect.objectContaining({ code }));
    expect(check).not.toThrow(/hunter2/);
  });
});
