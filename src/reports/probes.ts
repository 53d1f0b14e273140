import pc from 'picocolors';
import { plain } from '../core/index.ts';
import type { ProbeScore } from '../rubrics/index.ts';
import { borderlessTable, right } from './borderless-table.ts';

/** A judge on the probes: right answers by case, then every miss. */
export function probesText(judge: string, { n, nRight, cases }: ProbeScore): string {
  const rows = cases.map((one) => [
    `  ${one.tries.replaceAll('_', ' ')}`,
    right(String(one.nRight)),
    right(String(one.n)),
  ]);
  const misses = cases.flatMap((one) => one.misses);
  return [
    pc.bold(`${plain(judge)}: ${nRight} of ${n} probes right`),
    '',
    borderlessTable('case', [right('right'), right('of')], rows),
    '',
    ...misses.map(
      ({ probe, instruction, expected, got }) =>
        `${pc.yellow('!')} ${probe}: ${instruction ?? 'abstains'}: expected ${expected}, got ${plain(got)}`,
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
  return `${JSON.stringify(object, null, 2)}\n`;
}
