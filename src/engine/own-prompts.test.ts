import { describe, expect, it } from 'vitest';
import { recordsOf, suiteOf } from '../../test/engine-fixture.ts';
import { parseQuestionSuite } from '../suites/questions/question-suite.ts';
import { answerRequest } from './questions/answer-prompt.ts';
import { withPrompts } from './select-arm.ts';

const suite = parseQuestionSuite({
  name: 'demo/open',
  system: 'You are the assistant of ward 7.',
  template: 'A patient writes: {{question}}',
  questions: [{ id: 'a', question: 'What is $&?', should_abstain: false }],
});

describe('prompts of the user', () => {
  it('of a file of questions are asked', () => {
    const { messages, template } = answerRequest(suite.task, suite.questions[0]!);
    expect(messages.map(({ content }) => content)).toEqual([
      'You are the assistant of ward 7.',
      'A patient writes: What is $&?',
    ]);
    expect(template[1]!.content).toBe('A patient writes: {{question}}');
  });

  it('replace the instructions of an arm of labels, and leave the other arms', () => {
    const { task } = suiteOf(recordsOf('ab'));
    const own = withPrompts(task, { system: ' Be brief. ' });
    expect(own.arms[own.defaultArm]!.instructions).toBe('Be brief.');
    expect(withPrompts(task, {})).toBe(task);
  });

  it('are refused when they are empty, lack the question, or are a template for labels', () => {
    const code = expect.objectContaining({ code: 'ERR_PROMPT_INVALID' });
    expect(() => withPrompts(suite.task, { system: ' ' })).toThrow(code);
    expect(() => withPrompts(suite.task, { template: 'none' })).toThrow(code);
    expect(() => withPrompts(suiteOf(recordsOf('ab')).task, { template: '{{question}}' })).toThrow(code);
  });
});
