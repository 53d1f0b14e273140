import { expect, it } from 'vitest';
import { type GateVerdict, gateExitCode } from './verdict.ts';

const verdicts = (...statuses: GateVerdict['status'][]) =>
  statuses.map((status) => ({ text: 'a > 1', status, message: '' }));

it('fails before it cannot decide', () => {
  expect(gateExitCode(verdicts('pass', 'undecided', 'fail'))).toBe(1);
  expect(gateExitCode(verdicts('pass', 'undecided'))).toBe(3);
  expect(gateExitCode(verdicts('pass', 'pass'))).toBe(0);
  expect(gateExitCode([])).toBe(0);
});
