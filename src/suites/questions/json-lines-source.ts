import { basename } from 'node:path';
import { KrisisError, quoted } from '../../core/index.ts';
import { keyText, type Path, type QuestionSource } from './question-source.ts';

type Line = { readonly number: number; readonly value: Readonly<Record<string, unknown>> };

/**
 * Questions from JSONL, one a line. A first line that is no question holds what they share: name, rubric, sensitivity, aliases. Without a name the file's is taken.
 *
 * @example
 * ```ts
 * const source = jsonLinesSource('{"rubric":{}}\n\n{"id":"a","question":"Why?"}\n', 'folder/own.jsonl');
 * source.value // => { name: 'own', rubric: {}, questions: [{ id: 'a', question: 'Why?' }] }
 * source.place(['questions', 0, 'tags']) // => 'folder/own.jsonl:3'
 * ```
 */
export function jsonLinesSource(text: string, file: string): QuestionSource {
  const lines = text.split('\n').flatMap((line, i) => readLine(line, i + 1, file));
  const [first] = lines;
  const header = first && !('question' in first.value) && !('id' in first.value) ? first : undefined;
  if (header && 'questions' in header.value)
    throw new KrisisError(
      `${file}:${header.number}: the questions of a JSONL file stand on lines of their own; save this one as .json`,
    );
  const questions = header ? lines.slice(1) : lines;
  const lineOf = ([head, i]: Path) =>
    head === 'questions' && typeof i === 'number' ? questions[i]?.number : header?.number;
  return {
    value: { name: nameOf(file), ...header?.value, questions: questions.map(({ value }) => value) },
    place: (path) => {
      const line = lineOf(path);
      return line === undefined ? file : `${file}:${line}`;
    },
    key: (path) => keyText(path[0] === 'questions' && path.length > 1 ? path.slice(2) : path),
  };
}

function readLine(text: string, number: number, file: string): Line[] {
  if (text.trim() === '') return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new KrisisError(
      `${file}:${number}: not JSON: ${(cause as Error).message}; expected one object per line`,
      {
        cause,
      },
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new KrisisError(`${file}:${number}: ${quoted(text.trim())}; expected one object per line`, {
      value,
    });
  return [{ number, value: value as Line['value'] }];
}

/** The file's own name as a suite may be called. */
function nameOf(file: string): string {
  return basename(file)
    .replace(/\.[^.]*$/, '')
    .replace(/[^\w.-]+/g, '-');
}
