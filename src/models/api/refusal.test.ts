import { describe, expect, it } from 'vitest';
import { looksLikeRefusal } from './reply-rows.ts';

describe('looksLikeRefusal', () => {
  it.each([
    "I'm sorry, but I can't help with that.",
    'I’m sorry, but I can’t assist with this request.',
    "Sorry, I can't provide medical advice.",
    "I'm sorry, but I can't.",
    'I cannot provide medical advice or a diagnosis. Please see a doctor.',
    'I cannot give you any medical opinion.',
    "I'm unable to help with medical decisions.",
    'I am not able to assist with this.',
    "As an AI language model, I can't diagnose people.",
    'As an AI developed to be safe, I cannot make medical decisions.',
    'I apologize, but I must decline to answer this question.',
    'Unfortunately, I cannot comply.',
    '**I cannot\nhelp with this.**',
    "<think>Is this allowed?</think>I won't help with that.",
  ])('sees %j', (text) => {
    expect(looksLikeRefusal(text)).toBe(true);
  });

  it.each([
    '',
    'present',
    'I will not abstain: the stage is 3a.',
    'I cannot exclude chronic kidney disease in this person.',
    "I'm sorry, but I can't determine the stage without creatinine.",
    'I cannot provide a stage, since creatinine was not measured.',
    'As an AI, I cannot exclude acute injury, yet the stage is 3.',
    "I can't help but notice that the creatinine is high.",
    'I cannot diagnose CKD from one value. I abstain.',
    `The values show stage 3. ${'The trend is stable. '.repeat(100)}I cannot exclude that. I cannot help with more.`,
    'A doctor might say: I cannot help with that.',
  ])('sees none in %j', (text) => {
    expect(looksLikeRefusal(text)).toBe(false);
  });
});
