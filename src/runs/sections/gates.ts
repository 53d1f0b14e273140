import { code, list, section } from '../../reports/document/blocks.ts';
import type { Section } from '../../reports/document/document.ts';
import type { GateVerdict } from '../conditions/verdict.ts';

/** The conditions that a run had to meet. A verdict is a word, never a colour alone. */
export function gates(verdicts: readonly GateVerdict[]): Section | null {
  if (verdicts.length === 0) return null;
  return section({ id: 'gates', title: 'Conditions' }, [
    list(
      verdicts.map(({ text, status, message, warning }) => [
        { text: status, as: 'status' },
        ' ',
        code(text),
        message === '' ? '' : `: ${message}`,
        warning === undefined ? '' : `. Warning: ${warning}`,
      ]),
    ),
  ]);
}
