import { describe, expect, it } from 'vitest';
import type { JudgedTrait } from '../judge/judge-outcome.ts';
import type { ItemVerdict } from '../verdict.ts';
import { juryOutcome } from './jury-outcome.ts';

const verdict = (given: ItemVerdict['verdict'], text?: string): ItemVerdict => ({
  id: 'a',
  verdict: given,
  quotes: text === undefined ? [] : [{ text, start: 0, end: text.length }],
  reason: null,
});
const items = (...given: ItemVerdict[]) => given.map((one) => ({ verdicts: [one] }));
const trait = (value: JudgedTrait['value']) => [{ traits: [{ name: 't', value, reason: null }] }];

describe('juryOutcome', () => {
  it('settles the passes of each judge before the vote, and quotes a judge of the majority', () => {
    const { verdicts } = juryOutcome(['x', 'y', 'z'], {
      x: items(verdict('absent'), verdict('absent'), verdict('present', 'no')),
      y: items(verdict('present', 'words')),
      z: items(verdict('present', 'other')),
    });
    expect(verdicts).toEqual([verdict('present', 'words')]);
  });

  it('is unclear on a tie, and has no verdict without a quorum', () => {
    const tie = juryOutcome(['x', 'y'], { x: items(verdict('present', 'w')), y: items(verdict('absent')) });
    expect(tie.verdicts).toMatchObject([{ verdict: 'unclear', reason: 'no_majority' }]);
    const few = (other: ItemVerdict['verdict']) =>
      juryOutcome(['x', 'y', 'z'], { x: items(verdict('present', 'w')), y: items(verdict(other)) }).verdicts;
    expect(few('judge_error')).toMatchObject([{ verdict: 'judge_error', reason: 'no_quorum' }]);
    expect(few('unverified')).toMatchObject([{ verdict: 'unverified', reason: 'no_quorum' }]);
  });

  it('takes the majority of closed values and the median of numbers', () => {
    const of = (...values: JudgedTrait['value'][]) => {
      const judges = values.map((_, i) => `j${i}`);
      return juryOutcome(judges, Object.fromEntries(judges.map((name, i) => [name, trait(values[i]!)])))
        .traits![0];
    };
    expect(of(true, false, true)).toMatchObject({ value: true, reason: null });
    expect(of('good', 'bad')).toMatchObject({ value: null, reason: 'no_majority' });
    expect(of(1, 2, 9)).toMatchObject({ value: 2 });
    expect(of(null, null, 9)).toMatchObject({ value: null });
  });

  it('says whether the answer abstains by majority', () => {
    const said = (abstained: boolean | null) => [{ abstained }];
    expect(juryOutcome(['x', 'y', 'z'], { x: said(true), y: said(true), z: said(false) }).abstained).toBe(
      true,
    );
    expect(juryOutcome(['x', 'y'], { x: said(true), y: said(false) })).toMatchObject({
      abstained: null,
      abstainedReason: 'no_majority',
    });
  });
});
