import { isMap, isNode, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from 'yaml';
import { KrisisError } from '../../core/index.ts';
import { keyText, type Path, type QuestionSource } from './question-source.ts';

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
    const offset = offsetOf(document.contents, path);
    return offset === null ? file : `${file}:${lines.linePos(offset).line}`;
  };
  try {
    return { value: document.toJS(), place, key: keyText };
  } catch (cause) {
    // Anchors: one that is not defined, or so many that they would fill the memory.
    throw unreadable(file, cause as Error);
  }
}

/** The first line of the parser's message names line and column; an excerpt of the file follows it. */
function unreadable(file: string, cause: Error): KrisisError {
  const what = cause.message.split('\n')[0]!.replace(/:$/, '');
  return new KrisisError(`${file}: not readable as YAML: ${what}`, { cause });
}

/** Where a part begins: at its key, or at its dash. A part that is not there is where its parent is. */
function offsetOf(root: ParsedNode | null, path: Path): number | null {
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
