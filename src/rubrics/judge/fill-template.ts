import { contentHash, type PromptMessage } from '../../core/index.ts';

/**
 * The template with its slots filled, all in one pass: the mark of a slot inside what is filled in stays as it is. A slot that is not given stays marked.
 *
 * @example
 * ```ts
 * fillSlots([{ role: 'user', content: '{{a}} and {{b}}' }], { a: '{{b}}', b: '$&' })[0].content // => '{{b}} and $&'
 * ```
 */
export function fillSlots(
  template: readonly PromptMessage[],
  slots: Readonly<Record<string, string>>,
): PromptMessage[] {
  return template.map(({ role, content }) => ({
    role,
    content: content.replace(/\{\{(\w+)\}\}/g, (mark, name: string) =>
      Object.hasOwn(slots, name) ? slots[name]! : mark,
    ),
  }));
}

/**
 * A code for the lines that delimit untrusted texts in a prompt (the slot `{{fence}}`). No such text can contain it: it is a hash of those very texts, so their author
 * cannot know it beforehand, and a text that contains it by chance gets another code. The same texts get the same code.
 *
 * @example
 * ```ts
 * delimiterCode(['What is CKD?', 'A disease.']).length // => 16
 * delimiterCode(['a']) === delimiterCode(['b']) // => false
 * ```
 */
export function delimiterCode(texts: readonly string[], length = 16): string {
  const held = texts.map((text) => text.toLowerCase());
  for (let round = 0; ; round++) {
    const code = contentHash([round, ...texts]).slice(0, length);
    if (!held.some((text) => text.includes(code))) return code;
  }
}
