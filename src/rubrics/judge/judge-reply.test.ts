import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AskedTrait, traitsToAsk } from './asked.ts';
import { parseJudgeReply } from './judge-reply.ts';

const items = [
  { id: 'a', instruction: 'Mentions BCL2' },
  { id: 'b', instruction: 'References cancer' },
];
const clarity: AskedTrait = { name: 'Clarity', kind: 'score', min: 1, max: 5, description: '' };

const entry = (id: unknown, verdict: unknown, ...quotes: unknown[]) => ({ id, verdict, quotes });
const good = [entry('a', 'present', 'BCL2'), entry('b', 'absent')];
const parse = (verdicts: unknown, traits: unknown = [], asked: AskedTrait[] = []) =>
  parseJudgeReply(JSON.stringify({ verdicts, traits }), items, asked);
const problemsOf = (verdicts: unknown) => parse(verdicts).problems.map(({ code, id }) => `${code} ${id}`);

describe('parseJudgeReply', () => {
  it('reads one entry for each item and trait', () => {
    const reply = parse(good, [{ name: ' clarity', value: 4 }], [clarity]);
    expect([...reply.verdicts]).toEqual([
      ['a', { verdict: 'present', quotes: ['BCL2'] }],
      ['b', { verdict: 'absent', quotes: [] }],
    ]);
    expect([...reply.traits]).toEqual([['Clarity', 4]]);
    expect(reply.problems).toEqual([]);
  });

  it.each([
    ['a missing item', [good[0]], ['missing b'], ['a']],
    ['no items', [], ['missing a', 'missing b'], []],
    ['an item that was not asked for', [...good, entry('z', 'absent')], ['extra z'], ['a', 'b']],
    ['an item twice', [...good, entry('a', 'absent')], ['duplicate a'], ['b']],
    ['an item twice alike', [...good, good[0]], ['duplicate a'], ['b']],
    ['a verdict of its own', [entry('a', 'partly', 'BCL2'), good[1]], ['bad_verdict a'], ['b']],
    ['no verdict', [{ id: 'a', quotes: [] }, good[1]], ['bad_verdict a'], ['b']],
    ['present without a quote', [entry('a', 'present'), good[1]], ['no_quote a'], ['b']],
    ['contradicted with a blank quote', [entry('a', 'contradicted', ' '), good[1]], ['no_quote a'], ['b']],
    ['quotes that are no texts', [entry('a', 'present', 'x', 7), good[1]], ['bad_quotes a'], ['b']],
    ['an entry that is none', [...good, 'present'], ['bad_entry null'], ['a', 'b']],
    ['an entry without id', [good[0], entry(2, 'absent')], ['missing b', 'bad_entry null'], ['a']],
  ])('%s', (_, verdicts, problems, usable) => {
    const reply = parse(verdicts);
    expect(problemsOf(verdicts)).toEqual(problems);
    expect([...reply.verdicts.keys()]).toEqual(usable);
  });

  it.each([
    ['white space and case', [entry(' a ', ' Present', 'BCL2'), good[1]]],
    ['one quote as a text', [{ id: 'a', verdict: 'present', quotes: 'BCL2' }, good[1]]],
    ['one quote under `quote`', [{ id: 'a', verdict: 'present', quote: 'BCL2' }, good[1]]],
    ['a blank quote beside a good one', [entry('a', 'present', '', 'BCL2'), good[1]]],
    ['null for no quotes', [good[0], { id: 'b', verdict: 'absent', quotes: null }]],
  ])('does not mind %s', (_, verdicts) => {
    expect(parse(verdicts)).toEqual(parse(good));
  });

  it('keeps an unclear verdict with and without words in doubt', () => {
    expect(parse([entry('a', 'unclear'), entry('b', 'unclear', 'x')]).problems).toEqual([]);
  });

  it.each([
    ['missing', []],
    ['bad_value', [{ name: 'Clarity', value: 9 }]],
    ['bad_value', [{ name: 'Clarity' }]],
    [
      'duplicate',
      [
        { name: 'Clarity', value: 2 },
        { name: 'clarity', value: 3 },
      ],
    ],
  ])('a trait with %s', (code, traits) => {
    const { problems } = parse(good, traits, [clarity]);
    expect(problems).toEqual([{ code, id: null, trait: 'Clarity' }]);
  });

  it('misses the abstention when traits are left out', () => {
    const text = JSON.stringify({ verdicts: good });
    expect(parseJudgeReply(text, items, traitsToAsk()).problems).toEqual([
      { code: 'missing', id: null, trait: 'krisis.abstained' },
    ]);
  });

  it.each([
    ['empty', ''],
    ['no_json', 'All items are present.'],
    ['cut_off', '{"verdicts": [{"id": "a", "verdict": "present", "quotes": ["BC'],
    ['no_verdicts', '{"results": []}'],
    ['no_verdicts', '{"verdicts": "present"}'],
    ['no_verdicts', '[1]'],
  ])('unreadable: %s', (detail, text) => {
    const reply = parseJudgeReply(text, items, []);
    expect(reply.verdicts.size).toBe(0);
    expect(reply.problems).toEqual([{ code: 'unreadable', id: null, trait: null, detail }]);
  });

  it('finds the reply behind reasoning and in a fenced block', () => {
    const json = JSON.stringify({ verdicts: good, traits: [] });
    const text = `<think>{"verdicts": []}</think>Here:\n\`\`\`json\n${json}\n\`\`\``;
    expect(parseJudgeReply(text, items, [])).toEqual(parse(good));
  });

  it('accounts for every item, whatever it is given', () => {
    const anyEntry = fc.record(
      {
        id: fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.jsonValue()),
        verdict: fc.oneof(fc.constantFrom('present', 'absent', 'unclear'), fc.jsonValue()),
        quotes: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(anyEntry, fc.jsonValue())), (verdicts) => {
        const reply = parse(verdicts);
        for (const { id } of items) {
          expect(reply.verdicts.has(id)).toBe(!reply.problems.some((problem) => problem.id === id));
        }
      }),
      { numRuns: 300 },
    );
  });
});
