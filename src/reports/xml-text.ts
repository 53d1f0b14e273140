/**
 * Text for XML content or attributes: escapes markup, and removes what XML does not allow at all (control characters, halves of characters).
 *
 * @example
 * ```ts
 * xmlText('a < "b" & \u0000c') // => 'a &lt; &quot;b&quot; &amp; c'
 * ```
 */
export function xmlText(text: string): string {
  return (
    allowedInXml(text)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&apos;')
      // In an attribute, a parser would turn these into blanks.
      .replaceAll('\t', '&#9;')
      .replaceAll('\n', '&#10;')
      .replaceAll('\r', '&#13;')
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must go
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|\p{Surrogate}/gu;

/** Text without the characters that XML does not allow, escaped or not. */
export function allowedInXml(text: string): string {
  return text.replace(NOT_IN_XML, '');
}
