import { describe, expect, it } from 'vitest';
import { scriptedJudge } from '../../../test/scripted-judge.ts';
import type { TextReply } from '../../core/text-request.ts';
import type { AskedTrait, JudgeQuestion } from './asked.ts';
import { JUDGE_PROMPT_HASH } from './judge-prompt.ts';
import { JudgeCallFailed, runJudge } from './run-judge.ts';

const tone: AskedTrait = {
  name: 'Tone',
  kind: 'literal',
  classes: ['cold', 'warm'],
  description: 'The tone.',
};
const asked: JudgeQuestion = {
  question: 'Briefly describe BCL2 and why it matters in cancer.',
  answer: 'BCL2 is an anti-apoptotic gene that helps cells survive. It is located on chromosome 1.',
  items: [
    { id: 'a', instruction: 'Mentions BCL2 gene' },
    { id: 'b', instruction: 'States BCL2 is on chromosome 18' },
    { id: 'c', instruction: 'Mentions p53' },
  ],
  llmTraits: [tone],
  seed: 42,
  pass: 0,
};
const said = {
  verdicts: {
    'Mentions BCL2 gene': { verdict: 'present', quotes: ['BCL2 is an anti-apoptotic gene'] },
    'States BCL2 is on chromosome 18': { verdict: 'contradicted', quotes: ['located on chromosome 1'] },
  },
  traits: { Tone: 'cold' },
};
const listVerdicts = ({ verdicts }: { verdicts: readonly { id: string; verdict: string }[] }) =>
  verdicts.map(({ id, verdict }) => `${id} ${verdict}`);

describe('runJudge', () => {
  it('needs one call for a good reply', async () => {
    const judge = scriptedJudge(said);
    const outcome = await runJudge({ ...asked, ask: judge.ask });
    expect(listVerdicts(outcome)).toEqual(['a present', 'b contradicted', 'c absent']);
    expect(outcome).toMatchObject({
      traits: [{ name: 'Tone', value: 'cold', reason: null }],
      abstained: false,
      abstainedReason: null,
      nRepairs: 0,
      problems: [],
      promptHash: JUDGE_PROMPT_HASH,
      replies: [{ inputTokens: 100, outputTokens: 10, modelId: 'scripted-1' }],
    });
    expect(judge.asked).toHaveLength(1);
  });

  it('asks once more for the items that were wrong, and for those alone', async () => {
    const judge = scriptedJudge(({ again }) =>
      again ? said : { ...said, verdicts: { ...said.verdicts, 'Mentions BCL2 gene': 'present' } },
    );
    const outcome = await runJudge({ ...asked, ask: judge.ask });
    expect(listVerdicts(outcome)).toEqual(['a present', 'b contradicted', 'c absent']);
    expect(outcome.nRepairs).toBe(1);
    expect(outcome.problems).toEqual([{ code: 'no_quote', id: 'a', trait: null }]);
    expect(judge.asked.map(({ items, traits }) => [items.length, traits.length])).toEqual([
      [3, 2],
      [1, 0],
    ]);
  });

  it('asks once more for a trait alone', async () => {
    const judge = scriptedJudge(({ again }) => ({ ...said, traits: { Tone: again ? 'warm' : 'hot' } }));
    const outcome = await runJudge({ ...asked, ask: judge.ask });
    expect(outcome.traits).toMatchObject([{ name: 'Tone', value: 'warm', reason: null }]);
    expect(judge.asked[1]).toMatchObject({ items: [], traits: [{ name: 'Tone' }] });
  });

  it('gives up on one item after one repair, and keeps the others', async () => {
    const judge = scriptedJudge({ ...said, verdicts: { ...said.verdicts, 'Mentions p53': 'contradicted' } });
    const outcome = await runJudge({ ...asked, ask: judge.ask });
    expect(listVerdicts(outcome)).toEqual(['a present', 'b contradicted', 'c judge_error']);
    expect(outcome.verdicts[2]).toMatchObject({ reason: 'no_quote', quotes: [] });
    expect(judge.asked).toHaveLength(2);
  });

  it('never makes more than two calls, and never a verdict of garbage', async () => {
    const judge = scriptedJudge(said, { garbage: 1 });
    const outcome = await runJudge({ ...asked, ask: judge.ask });
    expect(judge.asked).toHaveLength(2);
    expect(outcome.verdicts.filter(({ verdict }) => verdict === 'judge_error').length).toBeGreaterThan(0);
  });

  it('does not ask again for an id that was not asked for', async () => {
    const judge = scriptedJudge(({ items, traits }) =>
      JSON.stringify({
        verdicts: [...items, { id: 'z' }].map(({ id }) => ({ id, verdict: 'absent', quotes: [] })),
        traits: traits.map(({ name }) => ({ name, value: name === 'Tone' ? 'warm' : true })),
      }),
    );
    const outcome = await runJudge({ ...asked, ask: judge.ask });
    expect(outcome).toMatchObject({ nRepairs: 0, abstained: true, problems: [{ code: 'extra', id: 'z' }] });
  });

  it('does not ask again after a refusal', async () => {
    let calls = 0;
    const ask = async (): Promise<TextReply> => {
      calls += 1;
      return { text: '', inputTokens: 1, outputTokens: 0, refused: true };
    };
    const outcome = await runJudge({ ...asked, ask });
    expect(calls).toBe(1);
    expect(outcome.verdicts).toEqual(
      ['a', 'b', 'c'].map((id) => ({ id, verdict: 'judge_error', quotes: [], reason: 'refused' })),
    );
    expect(outcome).toMatchObject({ abstained: null, abstainedReason: 'refused', nRepairs: 0 });
  });

  it.each(['', ' \n\t', '\u200b\ufeff'])('does not send the empty answer %j', async (answer) => {
    const judge = scriptedJudge(said);
    const outcome = await runJudge({ ...asked, answer, ask: judge.ask });
    expect(judge.asked).toEqual([]);
    expect(outcome).toEqual({
      verdicts: ['a', 'b', 'c'].map((id) => ({ id, verdict: 'absent', quotes: [], reason: null })),
      traits: [{ name: 'Tone', value: null, reason: 'empty_answer' }],
      abstained: null,
      abstainedReason: 'empty_answer',
      nRepairs: 0,
      problems: [],
      promptHash: null,
      replies: [],
    });
  });

  it('makes an error of the judge of a call that failed, and keeps what it has', async () => {
    const fail = () => Promise.reject(new JudgeCallFailed('timeout'));
    const none = await runJudge({ ...asked, ask: fail });
    expect(listVerdicts(none)).toEqual(['a judge_error', 'b judge_error', 'c judge_error']);
    expect(none).toMatchObject({
      abstained: null,
      abstainedReason: 'failed_timeout',
      nRepairs: 0,
      replies: [],
    });

    const judge = scriptedJudge({ ...said, verdicts: { ...said.verdicts, 'Mentions p53': 'present' } });
    const some = await runJudge({
      ...asked,
      ask: (request) => (judge.asked.length === 0 ? judge.ask(request) : fail()),
    });
    expect(listVerdicts(some)).toEqual(['a present', 'b contradicted', 'c judge_error']);
    expect(some.verdicts[2]).toMatchObject({ reason: 'failed_timeout' });
    expect(some).toMatchObject({ abstained: false, nRepairs: 1 });
  });

  it('passes on what else a call throws', async () => {
    const ask = () => Promise.reject(new Error('offline'));
    await expect(runJudge({ ...asked, ask })).rejects.toThrow('offline');
  });

  it('leaves room for an entry on every item by default', async () => {
    const caps: (number | undefined)[] = [];
    const judge = scriptedJudge(said);
    const ask = (request: Parameters<typeof judge.ask>[0]) => {
      caps.push(request.maxOutputTokens);
      return judge.ask(request);
    };
    await runJudge({ ...asked, ask });
    await runJudge({ ...asked, items: asked.items.slice(0, 1), ask, maxOutputTokens: 50 });
    const many = Array.from({ length: 500 }, (_, i) => ({ id: `${i}`, instruction: `Mentions ${i}` }));
    await runJudge({ ...asked, items: many, ask });
    expect(caps).toEqual([2048 + 5 * 256, 50, ...Array(4).fill(16_384), 2048 + 54 * 256]);
  });

  it('asks once more for a quote that is not in the answer, and takes the one that is', async () => {
    const judge = scriptedJudge(({ again }) =>
      again
        ? said
        : {
            ...said,
            verdicts: {
              ...said.verdicts,
              'Mentions BCL2 gene': { verdict: 'present', quotes: ['the BCL2 gene'] },
            },
          },
    );
    const outcome = await runJudge({ ...asked, ask: judge.ask });
    expect(listVerdicts(outcome)).toEqual(['a present', 'b contradicted', 'c absent']);
    expect(outcome.verdicts[0]!.quotes).toMatchObject([{ start: 0, end: 30 }]);
    expect(outcome.problems).toEqual([{ code: 'quote_not_found', id: 'a', trait: null }]);
    expect(judge.asked.map(({ items }) => items.map(({ id }) => id))).toEqual([expect.anything(), ['a']]);
  });

  it('is unverified only when the second quote is not in the answer either', async () => {
    const judge = scriptedJudge({
      verdicts: { 'Mentions p53': { verdict: 'present', quotes: ['p53 is a gene'] } },
      traits: said.traits,
    });
    const outcome = await runJudge({ ...asked, ask: judge.ask });
    expect(outcome.verdicts[2]).toMatchObject({
      verdict: 'unverified',
      reason: 'present_quote_not_in_answer',
    });
    expect(judge.asked).toHaveLength(2);
  });

  it.each([
    ['cuts a quantity', 'give 5 mg', 'quote_cuts_quantity', 'Give 5 mg/kg at once'],
    ['stands under a negation', 'contraindicated', 'quote_negated', 'is not contraindicated'],
  ] as const)('asks once more, and says why, for a quote that %s', async (_, quote, code, whole) => {
    const answer = 'Give 5 mg/kg at once. It is not contraindicated.';
    const items = [{ id: 'a', instruction: 'Says it' }];
    for (const mended of [true, false]) {
      const judge = scriptedJudge(({ again }) => ({
        verdicts: { 'Says it': { verdict: 'present', quotes: [again && mended ? whole : quote] } },
      }));
      const outcome = await runJudge({ ...asked, answer, items, llmTraits: [], ask: judge.ask });
      expect(outcome.verdicts[0]).toMatchObject(
        mended ? { verdict: 'present', reason: null } : { verdict: 'unverified', reason: `present_${code}` },
      );
      expect(outcome.problems[0]).toEqual({ code, id: 'a', trait: null });
      expect(judge.asked).toHaveLength(2);
    }
  });

  it('keeps a verdict of which one quote is free of negation', async () => {
    const judge = scriptedJudge({
      verdicts: { 'Says it': { verdict: 'present', quotes: ['safe', 'stop it'] } },
    });
    const items = [{ id: 'a', instruction: 'Says it' }];
    const answer = 'It is not safe: stop it.';
    const outcome = await runJudge({ ...asked, answer, items, llmTraits: [], ask: judge.ask });
    expect(outcome.verdicts[0]).toMatchObject({
      verdict: 'present',
      quotes: [{ start: 10 }, { start: 16 }],
    });
  });

  it('accepts that a judge without the words takes its verdict back', async () => {
    const judge = scriptedJudge(({ again }) => ({
      verdicts: { 'Mentions p53': again ? 'absent' : { verdict: 'present', quotes: ['p53 is a gene'] } },
      traits: said.traits,
    }));
    const outcome = await runJudge({ ...asked, ask: judge.ask });
    expect(outcome.verdicts[2]).toMatchObject({ verdict: 'absent', reason: null });
  });

  it('asks for the quote of an item that was mended before', async () => {
    let round = 0;
    const rounds = [
      'present',
      { verdict: 'present', quotes: ['p53 is a gene'] },
      { verdict: 'present', quotes: ['BCL2'] },
    ];
    const judge = scriptedJudge(() => ({
      verdicts: { 'Mentions p53': rounds[round++] as 'present' },
      traits: said.traits,
    }));
    const outcome = await runJudge({ ...asked, ask: judge.ask });
    expect(outcome.verdicts[2]).toMatchObject({ verdict: 'present' });
    expect(outcome.nRepairs).toBe(2);
  });

  it('gives the reason and the verified quote of a trait, and asks once more for a quote that is not there', async () => {
    const judge = scriptedJudge(({ again }) => ({
      verdicts: said.verdicts,
      traits: {
        Tone: { value: 'cold', reason: 'It is terse.', quotes: [again ? 'helps cells survive' : 'so terse'] },
      },
    }));
    const outcome = await runJudge({ ...asked, ask: judge.ask });
    expect(outcome.traits).toEqual([
      {
        name: 'Tone',
        value: 'cold',
        reason: null,
        explanation: 'It is terse.',
        quotes: [{ text: 'helps cells survive', start: 36, end: 55 }],
      },
    ]);
    expect(judge.asked[1]).toMatchObject({ items: [], traits: [{ name: 'Tone' }] });
  });

  it('judges 200 long items in calls that fit, in order, and asks for the traits once', async () => {
    const many = Array.from({ length: 200 }, (_, i) => ({
      id: `i${i}`,
      instruction: `Mentions fact ${i} ${'of the long kind '.repeat(20)}`,
    }));
    const judge = scriptedJudge({ traits: said.traits });
    const outcome = await runJudge({ ...asked, items: many, ask: judge.ask });
    expect(outcome.verdicts.map(({ id }) => id)).toEqual(many.map(({ id }) => id));
    expect(outcome.verdicts.every(({ verdict }) => verdict === 'absent')).toBe(true);
    expect(judge.asked.length).toBeGreaterThan(1);
    expect(judge.asked.flatMap(({ items }) => items)).toHaveLength(200);
    expect(judge.asked.map(({ traits }) => traits.length)).toEqual([2, ...judge.asked.slice(1).map(() => 0)]);
    expect(outcome.nRepairs).toBe(0);
  });

  it('asks once for an item that two traits share', async () => {
    const judge = scriptedJudge(said);
    const shared = { id: 'd', instruction: 'mentions BCL2 gene ', scope: 'Genes' };
    const outcome = await runJudge({ ...asked, items: [...asked.items, shared], ask: judge.ask });
    expect(judge.asked[0]!.items).toHaveLength(3);
    expect(outcome.verdicts[3]).toEqual({ ...outcome.verdicts[0], id: 'd' });
  });

  it.each(['truncated', 'unreadable'])('asks again in halves when the reply is cut off (%s)', async (how) => {
    const judge = scriptedJudge(({ items }) => (items.length > 2 ? '{"verdicts": [{"id": "a", "verd' : said));
    const ask = async (request: Parameters<typeof judge.ask>[0]) => {
      const reply = await judge.ask(request);
      if (how === 'truncated' && !reply.text.endsWith('}')) throw new JudgeCallFailed('truncated');
      return reply;
    };
    const outcome = await runJudge({ ...asked, ask });
    expect(listVerdicts(outcome)).toEqual(['a present', 'b contradicted', 'c absent']);
    expect(outcome).toMatchObject({ nRepairs: 2, abstained: false, problems: [{ code: 'cut' }] });
  });

  describe('typed checks', () => {
    const dose = { id: 'd', instruction: 'States the daily dose', check: { number: 500, unit: 'mg' } };
    const judged = async (
      entry: { verdict: string; quotes?: string[]; value?: string },
      answer = 'Start with 0.5 g daily, then 850 mg. The score is 7.',
    ) => {
      const judge = scriptedJudge({ verdicts: { 'States the daily dose': entry } });
      const outcome = await runJudge({
        ...asked,
        answer,
        items: [dose],
        llmTraits: [],
        ask: judge.ask,
      });
      const { verdict, reason, value } = outcome.verdicts[0]!;
      return { verdict, reason, value, calls: judge.asked.length };
    };

    it('are decided by code, not by the judge', async () => {
      expect(await judged({ verdict: 'present', quotes: ['0.5 g daily'], value: '0.5 g' })).toEqual({
        verdict: 'present',
        reason: null,
        value: '0.5 g',
        calls: 1,
      });
      expect(await judged({ verdict: 'present', quotes: ['850 mg'], value: '850 mg' })).toMatchObject({
        verdict: 'contradicted',
      });
    });

    it('are unclear where the value cannot be compared', async () => {
      expect(await judged({ verdict: 'present', quotes: ['The score is 7'], value: '7' })).toMatchObject({
        verdict: 'unclear',
        reason: 'value_no_unit',
      });
    });

    it('compare the whole quantity where the judge copied a part of it', async () => {
      expect(await judged({ verdict: 'present', quotes: ['0.5 g daily'], value: '0.5' })).toEqual({
        verdict: 'present',
        reason: null,
        value: '0.5 g',
        calls: 1,
      });
      const perWeight = { verdict: 'present', quotes: ['Give 500 mg/kg'], value: '500 mg' };
      expect(await judged(perWeight, 'Give 500 mg/kg.')).toEqual({
        verdict: 'contradicted',
        reason: null,
        value: '500 mg/kg',
        calls: 1,
      });
    });

    it('are unverified where the value stands under a negation in the quote', async () => {
      const entry = { verdict: 'present', quotes: ['not 500 mg'], value: '500 mg' };
      expect(await judged(entry, 'Give not 500 mg but less.')).toMatchObject({
        verdict: 'unverified',
        reason: 'value_negated',
        calls: 2,
      });
    });

    it('are unverified where the value is not in the quote', async () => {
      expect(await judged({ verdict: 'present', quotes: ['0.5 g daily'], value: '500 mg' })).toMatchObject({
        verdict: 'unverified',
        reason: 'value_not_in_quote',
        calls: 2,
      });
    });

    it('need a value', async () => {
      expect(await judged({ verdict: 'present', quotes: ['0.5 g daily'] })).toMatchObject({
        verdict: 'judge_error',
        reason: 'no_value',
      });
      expect(await judged({ verdict: 'absent' })).toMatchObject({ verdict: 'absent', calls: 1 });
    });
  });
});
