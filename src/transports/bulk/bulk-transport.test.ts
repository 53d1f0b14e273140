import { describe, expect, it } from 'vitest';
import { scriptedBackend } from '../../../test/engine-fixture.ts';
import { apiBackend } from '../../models/api/api-backend.ts';
import { checkBulk } from './bulk-transport.ts';

describe('checkBulk', () => {
  it('refuses a model without bulk jobs, by name', () => {
    const backend = scriptedBackend(() => [], { name: 'own/model' });
    const suite = { name: 'own/suite', isJudged: false, isProtected: false };
    expect(() => checkBulk(suite, [null, backend], { bulk: {} })).toThrow(
      expect.objectContaining({
        code: 'ERR_BULK_UNAVAILABLE',
        message: expect.stringContaining('own/model'),
      }),
    );
    expect(() => checkBulk(suite, [null], { bulk: { detach: true } })).not.toThrow();
  });

  it('refuses one model at two addresses', async () => {
    const at = (host: string) => apiBackend('openai-compatible/m', { baseUrl: `http://${host}/v1` });
    const backends = [await at('one.invalid'), await at('two.invalid')];
    const suite = { name: 'own/suite', isJudged: true, isProtected: false };
    expect(() => checkBulk(suite, backends, { bulk: {} })).toThrow(/one\.invalid, two\.invalid/);
    expect(() => checkBulk(suite, backends.slice(1), { bulk: {} })).not.toThrow();
  });
});
