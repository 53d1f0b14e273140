import type { PromptMessage } from '../../core/index.ts';

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
