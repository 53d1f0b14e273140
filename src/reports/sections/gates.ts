import type { GateVerdict } from '../../results/index.ts';
import { code, type Section } from '../document/document.ts';

/** The conditions that a run had to meet. A verdict is a word, never a colour alone. */
export function gates(verdicts: readonly GateVerdict[]): Section | null {
  if (verdicts.length === 0) return null;
  return {
    id: 'gates',
    title: 'Conditions',
    blocks: [
      {
        kind: 'list',
        items: verdicts.map(({ text, status, message }) => [
          { text: status, as: 'status' },
          ' ',
          code(text),
          message === '' ? '' : `: ${message}`,
        ]),
      },
    ],
  };
}
