import pc from 'picocolors';
import { plain } from '../../core/plain-text.ts';
import type { GateVerdict } from '../conditions/verdict.ts';

const MARKS: Readonly<Record<GateVerdict['status'], string>> = {
  pass: pc.green('PASS'),
  fail: pc.red('FAIL'),
  undecided: pc.yellow('UNDECIDED'),
};

/** Conditions and what became of them, one to a line; empty without conditions. */
export function verdictsText(verdicts: readonly GateVerdict[]): string {
  return verdicts
    .map(({ text, status, message, warning }) => {
      const note = warning === undefined ? '' : `${pc.yellow('warning')}  ${plain(warning)}\n`;
      return `${MARKS[status]}  ${plain(text)}: ${plain(message)}\n${note}`;
    })
    .join('');
}
