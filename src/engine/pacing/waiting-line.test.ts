import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Waiting, WaitingLine } from './pacer.ts';

describe('the waiting line', () => {
  it('is served in the order of arrival, also when entries leave from the middle', () => {
    const moves = fc.array(fc.record({ leave: fc.boolean(), which: fc.nat() }), { maxLength: 60 });
    fc.assert(
      fc.property(moves, (all) => {
        const line = new WaitingLine<number>();
        const expected: Waiting<number>[] = [];
        for (const [i, { leave, which }] of all.entries()) {
          if (!leave) expected.push(line.join(i));
          else if (expected.length > 0) line.leave(expected.splice(which % expected.length, 1)[0]!);
          expect(line.first).toBe(expected[0] ?? null);
        }
        const rest = expected.map(() => {
          const first = line.first!;
          line.leave(first);
          return first;
        });
        expect(rest).toEqual(expected);
        expect(line.first).toBeNull();
      }),
    );
  });
});
