/** A string as a whole, or one of the words that Python writes for numbers JSON does not have. */
const TOKEN = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|-?\b(?:NaN|Infinity)\b/g;

/**
 * Reads JSON as Python writes it: bare `NaN`, `Infinity` and `-Infinity` become null. Inside strings they stay words.
 *
 * @example
 * ```ts
 * parsePythonJson('{"value": NaN, "said": "NaN"}') // => { value: null, said: 'NaN' }
 * ```
 */
export function parsePythonJson(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(plain);
  } catch {
    return JSON.parse(plain.replace(TOKEN, (token) => (token.startsWith('"') ? token : 'null')));
  }
}
