import { expect, it } from 'vitest';
import type { PromptMessage } from '../core/text-request.ts';
import { parseQuestionSuite } from '../suites/questions/question-suite.ts';
import { referenceBackend } from './create-backend.ts';

const talk = (drug: string): PromptMessage[] => [
  { role: 'user', content: `May I take ${drug}?` },
  { role: 'assistant', content: 'Do you have kidney disease?' },
  { role: 'user', content: 'Yes.' },
];
const backend = referenceBackend(
  parseQuestionSuite({
    name: 'ward7/advice',
    questions: [
      { id: 'a', messages: talk('ibuprofen'), reference: 'Better not.', should_abstain: false },
      { id: 'b', messages: talk('paracetamol'), reference: 'You may.', should_abstain: false },
      { id: 'c', question: 'Yes or no?', reference: 'No.', should_abstain: false },
    ],
  }),
);
const answer = async (...messages: PromptMessage[]) => {
  const all: PromptMessage[] = [{ role: 'system', content: 'Answer.' }, ...messages];
  return (await backend.generate!({ messages: all, template: all })).text;
};

it('knows a conversation by all its turns, not by the last one', async () => {
  expect(await answer(...talk('ibuprofen'))).toBe('Better not.');
  expect(await answer(...talk('paracetamol'))).toBe('You may.');
});

it('knows a question that a template surrounds', async () => {
  expect(await answer({ role: 'user', content: 'Question: Yes or no? Be brief.' })).toBe('No.');
  await expect(answer(...talk('naproxen'))).rejects.toThrow('the question has no reference answer');
});
