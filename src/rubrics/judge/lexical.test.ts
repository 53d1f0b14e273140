import { describe, expect, it } from 'vitest';
import { lexicalJudge, lexicalVerdicts } from './lexical.ts';

const judgeAnswer = (answer: string, instruction: string, ...aliases: string[]) =>
  lexicalVerdicts(answer, [{ id: 'a', instruction }], { [instruction]: aliases })[0]!.verdict;

describe('lexicalVerdicts', () => {
  it.each([
    ['States that BCL2 inhibits apoptosis'],
    ['Mentions that BCL2 inhibits apoptosis.'],
    ['The answer explicitly states  that bcl2 inhibits apoptosis'],
    ['BCL2 inhibits apoptosis'],
    ['Claims BCL2 inhibits apoptosis'],
  ])('looks for what %j is about', (instruction) => {
    expect(judgeAnswer('We know that BCL2\ninhibits apoptosis in cells.', instruction)).toBe('present');
    expect(judgeAnswer('We know nothing of the kind.', instruction)).toBe('absent');
  });

  it('finds aliases, as words of their own', () => {
    expect(judgeAnswer('Keep the BP low.', 'Mentions blood pressure', 'BP')).toBe('present');
    expect(judgeAnswer('The BPM is 70.', 'Mentions blood pressure', 'BP')).toBe('absent');
    expect(judgeAnswer('The BPM is 70, the BP 120.', 'Mentions blood pressure', 'BP')).toBe('present');
    expect(judgeAnswer('A high K+ is seen.', 'Mentions potassium', 'K+')).toBe('present');
    expect(judgeAnswer('Anything', 'Mentions potassium', ' ')).toBe('absent');
  });

  it('leaves words that only follow a negation unverified, and takes those that do not', () => {
    const item = { id: 'a', instruction: 'Mentions bleeding', allQuotes: true };
    expect(lexicalVerdicts('No evidence of bleeding.', [item])[0]).toEqual({
      id: 'a',
      verdict: 'unverified',
      quotes: [{ text: 'bleeding', start: 15, end: 23 }],
      reason: 'present_quote_negated',
    });
    expect(lexicalVerdicts('No bleeding now. Bleeding may follow.', [item])[0]).toMatchObject({
      verdict: 'present',
      quotes: [{ start: 17 }],
    });
  });

  it('does not understand a refutation: it is a baseline', () => {
    expect(judgeAnswer('BCL2 inhibits apoptosis is wrong.', 'States that BCL2 inhibits apoptosis')).toBe(
      'present',
    );
  });

  it('quotes the first place, or all of them where told', () => {
    const answer = 'NSAIDs harm. Ibuprofen is one of the NSAIDs.';
    const item = { id: 'a', instruction: 'Mentions NSAIDs' };
    const aliases = { 'Mentions NSAIDs': ['ibuprofen', 'one of the NSAIDs'] };
    expect(lexicalVerdicts(answer, [item], aliases)[0]!.quotes).toEqual([
      { text: 'NSAIDs', start: 0, end: 6 },
    ]);
    const all = lexicalVerdicts(answer, [{ ...item, allQuotes: true }], aliases)[0]!.quotes;
    expect(all.map(({ text }) => text)).toEqual(['NSAIDs', 'Ibuprofen', 'one of the NSAIDs']);
  });

  it('takes no alias from what every object has', () => {
    expect(judgeAnswer('anything', 'constructor')).toBe('absent');
    expect(lexicalVerdicts('anything', [{ id: 'a', instruction: 'toString' }])[0]!.verdict).toBe('absent');
  });
});

describe('lexicalJudge', () => {
  const items = [{ id: 'a', instruction: 'Mentions BCL2' }];

  it('has the form of every judge, and no value for what takes reading', () => {
    const outcome = lexicalJudge({
      answer: 'I cannot answer that, but BCL2 is a gene.',
      items,
      llmTraits: [{ name: 'Clear', kind: 'boolean', description: '' }],
    });
    expect(outcome).toMatchObject({
      verdicts: [{ id: 'a', verdict: 'present' }],
      traits: [{ name: 'Clear', value: null, reason: 'needs_a_model' }],
      abstained: true,
      promptHash: null,
      replies: [],
    });
  });

  it('treats an empty answer as every judge does', () => {
    expect(lexicalJudge({ answer: ' ', items })).toMatchObject({
      verdicts: [{ verdict: 'absent' }],
      abstained: null,
      abstainedReason: 'empty_answer',
    });
  });
});
