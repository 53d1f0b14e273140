import { describe, expect, it } from 'vitest';
import { unheeded } from './ignored-options.ts';

describe('unheeded', () => {
  it('tells what was not done as asked', () => {
    expect(
      unheeded([{ type: 'unsupported', feature: 'temperature', details: 'not for reasoning models' }]),
    ).toBe(
      'this model does not take --temperature as given (not for reasoning models); leave it out or give another value',
    );
    expect(unheeded([{ type: 'compatibility', feature: 'reasoning' }])).toContain('--reasoning-effort');
    expect(unheeded([{ type: 'unsupported', feature: 'reasoningEffort' }])).toContain('--reasoning-effort');
  });

  it('lets everything else pass', () => {
    expect(unheeded([])).toBeNull();
    expect(
      unheeded([
        { type: 'other', message: 'temperature' },
        { type: 'unsupported', feature: 'maxOutputTokens' },
      ]),
    ).toBeNull();
  });
});
