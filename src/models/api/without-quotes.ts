import type { PromptMessage } from '../../core/index.ts';

/** As long as this, what text and question share is no chance. */
const WINDOW = 8;

/**
 * A provider's words without what they quote of the question: error texts are stored and shown, and patient data is not. Whatever stands in the messages and not in their
 * template gives way to `[case]`.
 */
export function withoutQuotes(
  text: string,
  messages: readonly PromptMessage[],
  template: readonly PromptMessage[],
): string {
  const asked = new Set(windows(messages));
  for (const window of windows(template)) asked.delete(window);
  const flat = flatten(text);
  let kept = '';
  let end = 0;
  for (let i = 0; i < flat.length; i++) {
    // A letter is quoted when it is part of any window that is.
    if (asked.has(flat.slice(i, i + WINDOW).toLowerCase())) {
      if (i >= end) kept += '[case]';
      end = i + WINDOW;
    }
    if (i >= end) kept += flat[i];
  }
  return kept;
}

function* windows(messages: readonly PromptMessage[]): Generator<string> {
  for (const { content } of messages) {
    const text = flatten(content);
    for (let i = 0; i + WINDOW <= text.length; i++) yield text.slice(i, i + WINDOW).toLowerCase();
  }
}

/** White space and the escapes of JSON, however often escaped, in one form. */
function flatten(text: string): string {
  return text
    .replace(/\\+u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+(["\\/])/g, '$1')
    .replace(/(\\+[nrt]|\s)+/g, ' ');
}
