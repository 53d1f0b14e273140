import { plain } from '../core/plain-text.ts';
import { counted } from '../core/wording.ts';
import type { CheckedFile } from '../suites/questions/check-file.ts';

/** What a check of a rubric or of questions found, for programs. */
export function checkedObject(file: string, { kind, hash, counts, findings }: CheckedFile) {
  return {
    file,
    valid: true,
    kind,
    hash,
    n_questions: counts.questions,
    n_traits: counts.traits,
    n_items: counts.items,
    findings,
  };
}

/** The same for people. */
export function checkedText(file: string, { counts, findings }: CheckedFile): string {
  const what = counts.questions === null ? '' : `${counted(counts.questions, 'question')}, `;
  const lines = [
    `${file}: valid; ${what}${counted(counts.traits, 'trait')}, ${counted(counts.items, 'item')}`,
    ...findings.map(
      ({ code, where, message, suggestion }) =>
        `! ${plain(where)}: ${plain(message)}\n    ${code}: ${plain(suggestion)}`,
    ),
    findings.length === 0 ? 'nothing to improve' : counted(findings.length, 'finding'),
  ];
  return `${lines.join('\n')}\n`;
}
