export type Path = readonly PropertyKey[];

/** Questions as they were read, and how to point at a part of them. */
export interface QuestionSource {
  readonly value: unknown;
  /** What a message begins with: the file, and the line where it is known. */
  readonly place: (path: Path) => string;
  /** What the part is called. */
  readonly key: (path: Path) => string;
}

/** Questions that stand in code. */
export function codeSource(value: unknown, name: string): QuestionSource {
  return { value, place: () => name, key: keyText };
}

/**
 * A path as it is read: `questions[2].tags`.
 *
 * @example
 * ```ts
 * keyText(['questions', 2, 'tags', 0]) // => 'questions[2].tags[0]'
 * keyText([]) // => 'it'
 * ```
 */
export function keyText(path: Path): string {
  const parts = path.map((part, i) =>
    typeof part === 'number' ? `[${part}]` : `${i > 0 ? '.' : ''}${String(part)}`,
  );
  return parts.join('') || 'it';
}
