import type { PromptMessage } from '../../core/index.ts';

/** Text of this length that also occurs in the question is a quote, not a coincidence. */
const WINDOW = 8;

/**
 * Removes quotes of the question from a provider's message: error texts are stored and shown, patient data must not be. Text that occurs in the messages but not in their
 * template becomes `[case]`.
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
    // A letter is quoted when any window that contains it is.
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

/** Normalises white space and JSON escapes, even repeated ones. */
function flatten(text: string): string {
  return text
    .replace(/\\+u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+(["\\/])/g, '$1')
    .replace(/(\\+[nrt]|\s)+/g, ' ');
}
