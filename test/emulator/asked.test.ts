import { describe, expect, it } from 'vitest';
import { GENERAL_REASONS } from '../../src/core/deferral-reasons.ts';
import { batchResponseSchema, responseSchema } from '../../src/suites/task.ts';
import { whatIsAsked } from './asked.ts';

const labels = ['present', 'absent'];
const reasons = [...GENERAL_REASONS];
const question = (text: string, schema: unknown = null) => ({
  model: 'm',
  system: 'Cases look like <case id="example">this</case>.',
  text,
  maxTokens: null,
  schema,
  tool: null,
});

describe('what is asked', () => {
  it('is read from the schemas that Krisis sends', () => {
    const single = whatIsAsked(question('Hello <case>\n a \n</case>', responseSchema({ labels })), []);
    expect(single).toEqual({
      batch: false,
      cases: [{ id: null, text: 'a' }],
      labels,
      mayBeNull: true,
      reasons,
    });
    const text = '<case id="case_1">\na\n</case>\n<case id="case_2">\nb\n</case>';
    expect(whatIsAsked(question(text, batchResponseSchema({ labels })), [])).toEqual({
      batch: true,
      cases: [
        { id: 'case_1', text: 'a' },
        { id: 'case_2', text: 'b' },
      ],
      labels,
      mayBeNull: true,
      reasons,
    });
    const plain = responseSchema({ labels }, { reasoning: false });
    expect(whatIsAsked(question('a', plain), []).reasons).toBeNull();
  });

  it.each([
    ['a plain enum', { enum: labels }, false],
    ['null in the enum', { enum: [...labels, null] }, true],
    ['a nullable one', { type: 'string', enum: labels, nullable: true }, true],
    ['two types', { type: ['string', 'null'], enum: labels }, true],
    ['one of', { oneOf: [{ enum: labels }, { type: 'null' }] }, true],
  ])('finds the labels in %s', (_, prediction, mayBeNull) => {
    const asked = whatIsAsked(question('a', { type: 'object', properties: { prediction } }), []);
    expect([asked.labels, asked.mayBeNull]).toEqual([labels, mayBeNull]);
  });

  it('is a single case, the whole text, where nothing else is said', () => {
    expect(whatIsAsked(question(' a '), ['x'])).toMatchObject({
      batch: false,
      cases: [{ text: 'a' }],
      labels: ['x'],
    });
  });
});
