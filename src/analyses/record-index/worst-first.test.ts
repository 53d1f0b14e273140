import { expect, it } from 'vitest';
import { evaluationResult } from '../../core/evaluation-result.ts';
import { WorstFirst } from './record-index.ts';

const emergency = { must_act: true };

it('ranks by the rule that holds once all rows are known, records that were not asked last', () => {
  const worst = new WorstFirst(null);
  const row = (id: string, fields: object) =>
    worst.add(evaluationResult({ id, groundTruth: 1, metadata: emergency, ...fields }));
  row('unasked', { state: 'not_run' });
  row('escalated', { abstained: true, urgent: true });
  row('unflagged', { prediction: 1, urgent: false });
  row('failed', { state: 'failed' });
  const ids = (rule: 'urgency' | 'silence') => worst.first(rule, 1).map(({ id }) => id);
  expect(ids('urgency')).toEqual(['unflagged', 'failed', 'escalated', 'unasked']);
  expect(ids('silence')).toEqual(['escalated', 'failed', 'unflagged', 'unasked']);
});

it('keeps the worst rows, the surest first, of many', () => {
  const rows = new WorstFirst(null);
  const n = 3000;
  for (let i = 0; i < 2 * n; i++)
    rows.add(
      evaluationResult({
        id: `r${i % n}`,
        groundTruth: 1,
        prediction: i % 10 === 0 ? 0 : 1,
        confidence: i % 10 === 0 && i % 7 === 0 ? null : (i % 97) / 100,
        metadata: { should_abstain: false },
      }),
    );
  const worst = rows.first('silence', 2);
  expect(worst).toHaveLength(200);
  const wrong = Array.from({ length: 2 * n }, (_, i) => i)
    .filter((i) => i % 10 === 0)
    .map((i) => ({ i, sure: i % 7 === 0 ? -1 : i % 97 }))
    .sort((a, b) => b.sure - a.sure || a.i - b.i);
  expect(worst).toEqual(wrong.slice(0, 200).map(({ i }) => ({ id: `r${i % n}`, repeat: Math.floor(i / n) })));
});
