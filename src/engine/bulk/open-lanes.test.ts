import { describe, expect, it } from 'vitest';
import { recordsOf, scriptedBackend, suiteOf } from '../../../test/engine-fixture.ts';
import { checkBulk } from './open-lanes.ts';

describe('checkBulk', () => {
  it('refuses a model without bulk jobs, by name', () => {
    const backend = scriptedBackend(() => [], { name: 'own/model' });
    expect(() => checkBulk(suiteOf(recordsOf('a')), [null, backend], { bulk: {} })).toThrow(
      expect.objectContaining({
        code: 'ERR_BULK_UNAVAILABLE',
        message: expect.stringContaining('own/model'),
      }),
    );
    expect(() => checkBulk(suiteOf(recordsOf('a')), [null], { bulk: { detach: true } })).not.toThrow();
  });
});
