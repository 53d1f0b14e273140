import { describe, expect, it } from 'vitest';
import { traitsToAsk } from './asked.ts';
import { combineReplies } from './judge-outcome.ts';
import { type JudgeReply, parseJudgeReply, unusableReply } from './judge-reply.ts';

const answer = 'BCL2 is a gene on chromosome 1.';
const items = ['a', 'b', 'c'].map((id) => ({ id, instruction: id }));
const traits = traitsToAsk();
const reply = (verdicts: Record<string, [string, ...string[]]>, abstained?: unknown): JudgeReply =>
  parseJudgeReply(
    JSON.stringify({
      verdicts: Object.entries(verdicts).map(([id, [verdict, ...quotes]]) => ({ id, verdict, quotes })),
      traits: abstained === undefined ? [] : [{ name: 'krisis.abstained', value: abstained }],
    }),
    items,
    traits,
  );
const settled = (...replies: JudgeReply[]) => combineReplies(answer, { items, traits }, replies);

describe('settle', () => {
  it('stores where quotes were found', () => {
    const { verdicts } = settled(
      reply(
        { a: ['present', 'BCL2 is a gene'], b: ['contradicted', 'on CHROMOSOME 1'], c: ['absent'] },
        false,
      ),
    );
    expect(verdicts).toEqual([
      { id: 'a', verdict: 'present', quotes: [{ text: 'BCL2 is a gene', start: 0, end: 14 }], reason: null },
      {
        id: 'b',
        verdict: 'contradicted',
        quotes: [{ text: 'on CHROMOSOME 1', start: 15, end: 30 }],
        reason: null,
      },
      { id: 'c', verdict: 'absent', quotes: [], reason: null },
    ]);
  });

  it('does not take a positive verdict on the word of the judge', () => {
    const { verdicts } = settled(
      reply({ a: ['present', 'an anti-apoptotic gene'], b: ['contradicted', 'x'], c: ['unclear', 'x'] }),
    );
    expect(verdicts.map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ['unverified', 'present_quote_not_in_answer'],
      ['unverified', 'contradicted_quote_not_in_answer'],
      ['unclear', null],
    ]);
    expect(verdicts[0]!.quotes).toEqual([{ text: 'an anti-apoptotic gene', start: null, end: null }]);
  });

  it('needs one verified quote, and keeps the others to be seen', () => {
    const [verdict] = settled(reply({ a: ['present', 'invented', 'a gene'] })).verdicts;
    expect(verdict).toMatchObject({ verdict: 'present', quotes: [{ start: null }, { start: 8 }] });
  });

  it('takes from the repair what the first reply lacked, and nothing else', () => {
    const { verdicts, traits: values } = settled(
      reply({ a: ['absent'], b: ['present'] }),
      reply({ a: ['present', 'BCL2'], b: ['absent'] }, true),
    );
    expect(verdicts.map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ['absent', null],
      ['absent', null],
      ['judge_error', 'missing'],
    ]);
    expect(values).toMatchObject([{ name: 'krisis.abstained', value: true, reason: null }]);
  });

  it('gives the last reason for what stayed wrong', () => {
    const { verdicts } = settled(
      reply({ a: ['present'], b: ['maybe'] }),
      reply({ a: ['nonsense'], b: ['present'] }),
    );
    expect(verdicts.map(({ reason }) => reason)).toEqual(['bad_verdict', 'no_quote', 'missing']);
  });

  it('puts the fault of a whole reply on everything asked in it', () => {
    const none = settled(unusableReply('unreadable', 'cut_off'), unusableReply('unreadable', 'no_json'));
    expect(none.verdicts.map(({ verdict, reason }) => [verdict, reason])).toEqual(
      Array(3).fill(['judge_error', 'unreadable_no_json']),
    );
    expect(none.traits).toEqual([{ name: 'krisis.abstained', value: null, reason: 'unreadable_no_json' }]);
    expect(settled(unusableReply('refused')).verdicts[0]).toMatchObject({ reason: 'refused' });
  });
});
