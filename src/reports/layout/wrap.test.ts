import { describe, expect, it } from 'vitest';
import { displayWidth, wrap } from './wrap.ts';

describe('displayWidth', () => {
  it.each([
    ['abc', 3],
    ['腎臓', 4],
    ['e\u0301', 1],
    ['\u001b[31mred\u001b[39m', 3],
    ['👩‍⚕️', 2],
  ])('%s takes %d columns', (text, columns) => {
    expect(displayWidth(text)).toBe(columns);
  });
});

describe('wrap', () => {
  it('breaks at blanks, and indents the next lines', () => {
    expect(wrap('one two three four', 9)).toEqual(['one two', 'three', 'four']);
    expect(wrap('  one two three', 9, { hang: 4 })).toEqual(['  one two', '    three']);
    expect(wrap('short', 9)).toEqual(['short']);
  });

  it('breaks no path, unless a table asks for it', () => {
    const path = '.krisis/runs/a-long-name.db';
    expect(wrap(`in ${path} now`, 12)).toEqual(['in', path, 'now']);
    expect(wrap('simulated/overconfident', 15, { folds: true })).toEqual(['simulated/', 'overconfident']);
    expect(wrap('abcdefghij', 4, { folds: true })).toEqual(['abcd', 'efgh', 'ij']);
  });

  it('breaks text of wide characters anywhere, since it has no blanks', () => {
    expect(wrap('慢性腎臓病の評価', 8)).toEqual(['慢性腎臓', '病の評価']);
  });

  it('keeps numbers with their signs', () => {
    expect(wrap('worse, p < 0.0001', 13)).toEqual(['worse,', 'p < 0.0001']);
    expect(wrap('a share of 95 %', 14)).toEqual(['a share of', '95 %']);
  });

  it('ends a colour at the end of a line, and resumes it', () => {
    expect(wrap('\u001b[33mone two\u001b[39m three', 5)).toEqual([
      '\u001b[33mone\u001b[39m',
      '\u001b[33mtwo\u001b[39m',
      'three',
    ]);
  });
});
