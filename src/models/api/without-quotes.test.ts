import { describe, expect, it } from 'vitest';
import type { PromptMessage } from '../../core/text-request.ts';
import { withoutQuotes } from './ask-model.ts';

const template: PromptMessage[] = [
  { role: 'system', content: 'You read laboratory values.' },
  { role: 'user', content: 'The case:\n{{case}}\nAnswer with one label.' },
];
const messages = template.map(({ role, content }) => ({
  role,
  content: content.replace(
    '{{case}}',
    'Age (years): 61\nSerum creatinine (µmol/L): 143\nNote: "frail", lives alone',
  ),
}));
const clean = (text: string) => withoutQuotes(text, messages, template);

describe('withoutQuotes', () => {
  it.each([
    ['bad input: Age (years): 61', 'bad input[case]'],
    ['bad input: AGE (YEARS): 61!', 'bad input[case]!'],
    ['in {"content":"Age (years): 61\\nSerum creatinine (\\u00b5mol/L): 143"}', 'in {"content":"[case]"}'],
    ['twice escaped: Note: \\\\\\"frail\\\\\\", lives alone', 'twice escaped:[case]'],
  ])('takes out what is quoted: %s', (text, expected) => {
    expect(clean(text)).toBe(expected);
  });

  it('leaves the words of the template and of the provider', () => {
    const text = 'cannot read "Answer with one label." of 3,000 tokens';
    expect(clean(text)).toBe(text);
  });

  it('leaves nothing of a whole question that comes back', () => {
    const left = clean(`error in ${JSON.stringify(messages)}`);
    for (const word of ['creatinine', '143', '61', 'frail', 'alone']) expect(left).not.toContain(word);
    expect(left).toContain('You read laboratory values.');
  });

  it('bears letters that change their length with their case', () => {
    expect(withoutQuotes('İİİ and İstanbul 12', [{ role: 'user', content: 'x İstanbul 12' }], [])).toBe(
      'İİİ and[case]',
    );
  });
});
