import { describe, expect, it } from 'vitest';
import { ignoredOption } from './sdk-model.ts';

describe('ignoredOption', () => {
  it('names the option that was ignored', () => {
    expect(
      ignoredOption([{ type: 'unsupported', feature: 'temperature', details: 'not for reasoning models' }]),
    ).toBe(
      'this model does not accept temperature as given (not for reasoning models); leave it out or give another value',
    );
    expect(ignoredOption([{ type: 'compatibility', feature: 'reasoning' }])).toContain('reasoningEffort');
    expect(ignoredOption([{ type: 'unsupported', feature: 'reasoningEffort' }])).toContain('reasoningEffort');
  });

  it('lets everything else pass', () => {
    expect(ignoredOption([])).toBeNull();
    expect(
      ignoredOption([
        { type: 'other', message: 'temperature' },
        { type: 'unsupported', feature: 'maxOutputTokens' },
      ]),
    ).toBeNull();
  });
});
