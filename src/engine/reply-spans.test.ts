import { describe, expect, it } from 'vitest';
import { replySpans } from './reply-spans.ts';

const cutSpans = (text: string, ids = ['a', 'b']) =>
  replySpans(text, ids).map((span) => span && text.slice(span.start, span.end));

describe('replySpans', () => {
  it.each([
    ['a list', '[{"p": 1}, {"p": 2}]'],
    ['a list in an object', '{"model": "m", "answers": [{"p": 1}, {"p": 2}]}'],
    ['objects in lines', '{"p": 1}\n{"p": 2}\n'],
    ['prose around it', 'Here you are:\n```json\n[{"p": 1}, {"p": 2}]\n```'],
  ])('takes the entries in their order: %s', (_, text) => {
    expect(cutSpans(text)).toEqual(['{"p": 1}', '{"p": 2}']);
  });

  it('matches entries by their id', () => {
    expect(cutSpans('[{"id": "b", "p": 1}, {"id": "a", "p": 2}]')).toEqual([
      '{"id": "a", "p": 2}',
      '{"id": "b", "p": 1}',
    ]);
  });

  it.each([
    ['fewer entries', '[{"p": 1}]'],
    ['more entries', '[{"p": 1}, {"p": 2}, {"p": 3}]'],
    ['other ids', '[{"id": "case_1"}, {"id": "case_2"}]'],
    ['one id twice', '[{"id": "a"}, {"id": "a"}]'],
    ['two lists', '{"x": [{"p": 1}, {"p": 2}], "y": [{"p": 1}, {"p": 2}]}'],
    ['no objects', '["yes", "no"]'],
    ['no JSON', 'yes, no'],
    ['nothing', ''],
  ])('says nothing where it is not certain: %s', (_, text) => {
    expect(cutSpans(text)).toEqual([null, null]);
  });
});
