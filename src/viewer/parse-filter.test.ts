import { describe, expect, it } from 'vitest';
import { parseFilter } from './parse-filter.ts';

const parse = (query: string) => parseFilter(new URLSearchParams(query));

describe('parseFilter', () => {
  it('reads an address', () => {
    expect(
      parse(
        'outcome=answered_wrong&outcome=abstained&confidence_from=0.9&group=sex:female&sort=-confidence&usable=true&limit=20',
      ),
    ).toEqual({
      outcome: ['answered_wrong', 'abstained'],
      confidence_from: 0.9,
      group: ['sex:female'],
      sort: '-confidence',
      usable: true,
      limit: 20,
    });
    expect(parse('')).toEqual({});
  });

  it.each([
    ['colour=red', 'colour: there is no such filter'],
    ['__proto__=1', '__proto__: there is no such filter'],
    ['confidence_from=high', 'confidence_from is "high"; expected a number'],
    ['confidence_to=', 'confidence_to is ""; expected a number'],
    ['sort=features', 'sort is "features"; expected one of id,'],
    ['limit=0', 'limit is "0"; expected a whole number from 1 to 5000'],
    ['limit=5001', 'limit is "5001"'],
    ['offset=-1', 'offset is "-1"'],
    ['repeat=1.5', 'repeat is "1.5"'],
    ['group=sex', 'group is "sex"; expected key:value'],
    ['should_abstain=maybe', 'should_abstain is "maybe"; expected one of true, false, null'],
    ['urgent=yes', 'urgent is "yes"; expected one of true, false, null'],
    ['case_kind=emergency', 'case_kind is "emergency"; expected one of must_act, should_defer,'],
    ['decision_class=wrong', 'decision_class is "wrong"; expected one of missed_emergency,'],
    ['usable=1', 'usable is "1"; expected true or false'],
    ['flips=other', 'flips is "other"; expected RUN:only_a or RUN:only_b'],
    ['sort=id&sort=label', 'sort is ["id","label"]; expected given once'],
  ])('refuses %s', (query, message) => {
    expect(() => parse(query)).toThrow(
      expect.objectContaining({
        code: 'ERR_RECORD_FILTER_INVALID',
        message: expect.stringContaining(message),
      }),
    );
  });
});
