import { expect, it } from 'vitest';
import { parseQuestionSuite, questionRecord, storedTurns } from './question-suite.ts';

const turns = [
  { role: 'user', content: 'My potassium is 6.3.' },
  { role: 'assistant', content: 'Do you feel well?' },
  { role: 'user', content: 'Yes.' },
];

it('stores the turns of a conversation with its text, and reads them back', () => {
  const suite = parseQuestionSuite({
    name: 'ward7/talk',
    questions: [
      { id: 'talk', messages: turns, should_abstain: false },
      { id: 'single', question: 'Why?', should_abstain: false },
    ],
  });
  const [talk, single] = suite.questions.map(questionRecord);
  expect(talk!.features.question).toBe(
    'User: My potassium is 6.3.\n\nAssistant: Do you feel well?\n\nUser: Yes.',
  );
  expect(storedTurns(talk!.features.messages)).toEqual(turns);
  expect(single!.features).toEqual({ question: 'Why?' });
});

it.each([undefined, null, 'text', [], [{ role: 'user' }], [{ role: 'system', content: 'x' }], [null]])(
  'takes nothing else for turns: %j',
  (value) => {
    expect(storedTurns(value)).toBeNull();
  },
);
