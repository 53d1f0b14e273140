import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillSlots } from './judge-text.ts';

const template = [
  { role: 'system' as const, content: 'Rules, {{code}}.' },
  { role: 'user' as const, content: '{{code}}\n{{answer}}\n{{code}}' },
];

describe('fillSlots', () => {
  it('fills every slot in every message, and leaves what it does not know', () => {
    expect(fillSlots(template, { code: 'k' }).map(({ content }) => content)).toEqual([
      'Rules, k.',
      'k\n{{answer}}\nk',
    ]);
  });

  it('takes no name that every object has', () => {
    expect(fillSlots([{ role: 'user', content: '{{constructor}}' }], {})[0]!.content).toBe('{{constructor}}');
  });

  it('puts in any text as it is', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('{{code}}', '{{answer}}', '$&', "$'", '{{{{code}}}}'));
    fc.assert(
      fc.property(text, (answer) => {
        expect(fillSlots(template, { code: 'k', answer })[1]!.content).toBe(`k\n${answer}\nk`);
      }),
    );
  });
});
