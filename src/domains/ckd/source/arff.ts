import { type FileProblem, fileProblem } from '../../../suites/file-problem.ts';

const DIRECTIVE = /^\s*@(relation|attribute|data)\b/i;
const ATTRIBUTE = /^\s*@attribute\s+(?:'([^']*)'|"([^"]*)"|(\S+))/i;
const COMMENT_OR_BLANK = /^\s*(%|$)/;

/**
 * Whether a text is ARFF: its first line that is neither a comment nor blank is a directive.
 *
 * @example
 * ```ts
 * isArff('% notes\n\n@RELATION kidneys\n') // => true
 * isArff('id,age\n') // => false
 * ```
 */
export function isArff(text: string): boolean {
  for (const line of text.split('\n')) {
    if (!COMMENT_OR_BLANK.test(line)) return DIRECTIVE.test(line);
  }
  return false;
}

export interface ArffParts {
  /** Attribute names in file order. */
  readonly attributes: readonly string[];
  /** Line of the first attribute. */
  readonly attributesLine: number;
  /** Everything after `@data`: comma-separated, with `?` for missing. */
  readonly data: string;
  readonly dataLine: number;
  readonly problems: readonly FileProblem[];
}

/**
 * Takes an ARFF file apart: the attribute names, and the data section with the line it begins on. The declared types
 * are passed over: the columns of this source are known.
 *
 * @example
 * ```ts
 * splitArff("@relation r\n@attribute 'age' numeric\n@data\n48\n").attributes // => ['age']
 * splitArff("@relation r\n@attribute 'age' numeric\n@data\n48\n").dataLine // => 4
 * ```
 */
export function splitArff(text: string): ArffParts {
  const lines = text.split('\n');
  const dataAt = lines.findIndex((line) => /^\s*@data\b/i.test(line));
  const attributes: string[] = [];
  const problems: FileProblem[] = [];
  let attributesLine = 1;
  lines.slice(0, dataAt === -1 ? lines.length : dataAt).forEach((line, i) => {
    if (!/^\s*@attribute\b/i.test(line)) return;
    const match = ATTRIBUTE.exec(line);
    if (match === null) {
      problems.push({ line: i + 1, column: null, value: line.trim(), expected: '@attribute NAME TYPE' });
      return;
    }
    if (attributes.length === 0) attributesLine = i + 1;
    attributes.push(match[1] ?? match[2] ?? match[3]!);
  });
  if (attributes.length === 0) problems.push(fileProblem('@attribute lines that name the columns'));
  if (dataAt === -1) {
    problems.push(fileProblem('an @data line before the rows'));
    return { attributes, attributesLine, data: '', dataLine: lines.length, problems };
  }
  return {
    attributes,
    attributesLine,
    data: lines.slice(dataAt + 1).join('\n'),
    dataLine: dataAt + 2,
    problems,
  };
}
