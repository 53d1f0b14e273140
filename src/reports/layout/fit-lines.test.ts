import { describe, expect, it } from 'vitest';
import { fitHelp, fitLines } from './fit-lines.ts';

describe('fitLines', () => {
  it('continues a line where its text began', () => {
    expect(fitLines('! a warning that is long\n  an indented text that is long\nshort', 16)).toBe(
      '! a warning that\n  is long\n  an indented\n  text that is\n  long\nshort',
    );
    expect(fitLines('name    a description that is too long for its line', 40)).toBe(
      'name    a description that is too long\n        for its line',
    );
  });

  it('leaves commands whole, to be copied', () => {
    const command = '  krisis run ckd/staging --model openai/gpt-5-mini --limit 100';
    expect(fitLines(command, 40)).toBe(command);
  });
});

describe('fitHelp', () => {
  it('joins the lines of a paragraph, and leaves lists alone', () => {
    expect(fitHelp('A paragraph that the\nsource breaks.\n\nExamples:\n  one\n  two\n', 40)).toBe(
      'A paragraph that the source breaks.\n\nExamples:\n  one\n  two\n',
    );
  });
});
