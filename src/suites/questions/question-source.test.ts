import { expect, it } from 'vitest';
import { yamlSource } from './question-source.ts';

const source = yamlSource(
  'name: a\nquestions:\n  - id: x\n    question: >\n      Why\n      so?\n  - { id: y }\n',
  'f',
);

it('finds the line of a part at its key', () => {
  expect(source.place(['questions', 0, 'question'])).toBe('f:4');
  expect(source.place(['questions', 1, 'id'])).toBe('f:7');
});

it('falls back on what surrounds a part that is not there', () => {
  expect(source.place(['questions', 1, 'tags'])).toBe('f:7');
  expect(source.place(['rubric'])).toBe('f');
  expect(source.place([])).toBe('f');
  expect(source.place(['name', 'x', 0])).toBe('f:1');
});

it('does not let anchors grow without bound', () => {
  const layers = Array.from(
    { length: 12 },
    (_, i) => `l${i + 1}: &l${i + 1} [${Array(10).fill(`*l${i}`).join(', ')}]`,
  );
  expect(() => yamlSource(['l0: &l0 [x]', ...layers].join('\n'), 'f')).toThrow('f: not readable as YAML');
});
