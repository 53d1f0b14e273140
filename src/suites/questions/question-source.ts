import { basename } from 'node:path';
import { isMap, isNode, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from 'yaml';
import { isObject } from '../../core/collections.ts';
import { KrisisError } from '../../core/errors.ts';
import { quoted } from '../../core/plain-text.ts';

export type Path = readonly PropertyKey[];

/** Questions as they were read, and how to point at a part of them. */
export interface QuestionSource {
  readonly value: unknown;
  /** What a message begins with: the file, and the line where it is known. */
  readonly place: (path: Path) => string;
  /** What the part is called. */
  readonly key: (path: Path) => string;
}

/** The error for questions that cannot be used. */
export function invalidQuestions(message: string, about: { value?: unknown; cause?: unknown } = {}) {
  return new KrisisError(message, { code: 'ERR_QUESTIONS_INVALID', ...about });
}

/** Questions given in code. */
export function codeSource(value: unknown, name: string): QuestionSource {
  return { value, place: () => name, key: (path) => keyText(path) };
}

/** A path as it is read: `questions[2].tags[0]`. */
export function keyText(path: Path, whole = 'it'): string {
  const parts = path.map((part, i) =>
    typeof part === 'number' ? `[${part}]` : `${i > 0 ? '.' : ''}${String(part)}`,
  );
  return parts.join('') || whole;
}

/**
 * Questions from YAML, or from JSON, which is YAML too. Messages about them can name the line.
 *
 * @example
 * ```ts
 * const source = yamlSource('name: a\nquestions:\n  - id: x\n    tags: 3\n', 'own.yaml');
 * source.place(['questions', 0, 'tags']) // => 'own.yaml:4'
 * ```
 */
export function yamlSource(text: string, file: string): QuestionSource {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) throw unreadable(file, problem);
  const place = (path: Path) => {
    const offset = findOffset(document.contents, path);
    return offset === null ? file : `${file}:${lines.linePos(offset).line}`;
  };
  try {
    return { value: document.toJS(), place, key: (path) => keyText(path) };
  } catch (cause) {
    // Anchors: one that is not defined, or so many that they would fill the memory.
    throw unreadable(file, cause as Error);
  }
}

/** The first line of the parser's message names line and column; an excerpt of the file follows it. */
function unreadable(file: string, cause: Error): KrisisError {
  const what = cause.message.split('\n')[0]!.replace(/:$/, '');
  return invalidQuestions(`${file}: not readable as YAML: ${what}`, { cause });
}

/** Where a part begins: at its key, or at its dash. A part that is not there is where its parent is. */
function findOffset(root: ParsedNode | null, path: Path): number | null {
  let node: unknown = root;
  let offset: number | null = null;
  for (const part of path) {
    if (isSeq(node)) {
      node = node.items[Number(part)];
      if (isNode(node)) offset = node.range?.[0] ?? offset;
    } else if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (pair === undefined) break;
      offset = isScalar(pair.key) ? (pair.key.range?.[0] ?? offset) : offset;
      node = pair.value;
    } else break;
  }
  return offset;
}

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
    throw invalidQuestions(
      `${file}:${header.number}: each question of a JSONL file needs a line of its own; save this one as .json`,
    );
  const questions = header ? lines.slice(1) : lines;
  const findLine = (path: Path) => {
    const i = questionIndex(path);
    return i === null ? header?.number : questions[i]?.number;
  };
  return {
    value: { name: nameFromFile(file), ...header?.value, questions: questions.map(({ value }) => value) },
    place: (path) => {
      const line = findLine(path);
      return line === undefined ? file : `${file}:${line}`;
    },
    key: (path) => keyText(questionIndex(path) === null ? path : path.slice(2)),
  };
}

/** The place of the question that a path lies in; null outside of questions. */
export function questionIndex([head, index]: Path): number | null {
  return head === 'questions' && typeof index === 'number' ? index : null;
}

function readLine(text: string, number: number, file: string) {
  if (text.trim() === '') return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const why = (cause as Error).message;
    throw invalidQuestions(`${file}:${number}: not JSON: ${why}; expected one object per line`, { cause });
  }
  if (!isObject(value))
    throw invalidQuestions(`${file}:${number}: ${quoted(text.trim())}; expected one object per line`, {
      value,
    });
  return [{ number, value: value as Readonly<Record<string, unknown>> }];
}

/** The file's own name as a suite may be called. */
function nameFromFile(file: string): string {
  return basename(file)
    .replace(/\.[^.]*$/, '')
    .replace(/[^\w.-]+/g, '-');
}
