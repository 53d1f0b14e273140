import pc from 'picocolors';
import { withSchema } from '../../core/json-schema.ts';
import { plain } from '../../core/plain-text.ts';
import { warningLines } from '../../reports/formats/text.ts';
import { borderlessTable } from '../../reports/layout/borderless-table.ts';
import { TEXT_WIDTH } from '../../reports/layout/text-width.ts';
import { wrap } from '../../reports/layout/wrap.ts';
import type { ProbeScore } from '../../rubrics/judge/probes.ts';

/** A judge on the probes: right answers by case, then every miss. */
export function probesText(judge: string, { n, nRight, cases }: ProbeScore, width = TEXT_WIDTH): string {
  const number = (title: string, of: (one: ProbeScore['cases'][number]) => number) => ({
    title,
    isNumber: true,
    cells: cases.map((one) => String(of(one))),
  });
  const misses = cases.flatMap((one) => one.misses);
  const table = borderlessTable(
    [
      { title: 'case', isNumber: false, cells: cases.map(({ tries }) => `  ${tries.replaceAll('_', ' ')}`) },
      number('right', (one) => one.nRight),
      number('of', (one) => one.n),
    ],
    width,
  );
  return [
    ...wrap(`${plain(judge)}: ${nRight} of ${n} probes right`, width).map(pc.bold),
    '',
    ...table,
    '',
    ...misses.flatMap(({ probe, instruction, expected, got }) =>
      warningLines(`${probe}: ${instruction ?? 'abstains'}: expected ${expected}, got ${got}`, width),
    ),
    ...(misses.length > 0 ? [''] : []),
  ].join('\n');
}

export function probesJson(judge: string, { passed, n, nRight, cases }: ProbeScore): string {
  const object = {
    judge,
    passed,
    n,
    n_right: nRight,
    cases: cases.map((one) => ({ case: one.tries, n: one.n, n_right: one.nRight, misses: one.misses })),
  };
  return `${JSON.stringify(withSchema('judge', object), null, 2)}\n`;
}
