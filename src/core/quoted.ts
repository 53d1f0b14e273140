const LONGEST = 60;

/**
 * Text from a file, quoted so that it is safe to print.
 *
 * @example
 * ```ts
 * quoted('a\tb') // => '"a\\tb"'
 * ```
 */
export function quoted(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
  // JSON escapes C0; C1 and the direction marks would still reach the terminal.
  return JSON.stringify(short).replace(
    /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A value as a message may show it: short, and harmless for a terminal. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  const text = jsonText(value);
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // Nested too deeply for the stack.
    return Array.isArray(value) ? '[...]' : '{...}';
  }
}
