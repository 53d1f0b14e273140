const MARKUP = Symbol('markup');

/** Text that is HTML already. Only `html` and `raw` make it, so nothing else gets into a page unescaped. */
export interface Markup {
  readonly [MARKUP]: string;
}

export type Content = string | number | Markup | null | readonly Content[];

/**
 * A template for HTML. Everything put into it is escaped, except what is markup already; null is nothing, and a list is its parts one after the other.
 *
 * @example
 * ```ts
 * markupText(html`<p>${'<b>'} ${html`<i>${1}</i>`}</p>`) // => '<p>&lt;b&gt; <i>1</i></p>'
 * ```
 */
export function html(strings: TemplateStringsArray, ...values: Content[]): Markup {
  return raw(strings.map((text, i) => (i === 0 ? text : contentText(values[i - 1]!) + text)).join(''));
}

/** Marks text as HTML. For what we have made ourselves: a chart, a style sheet. */
export function raw(text: string): Markup {
  return { [MARKUP]: text };
}

export function markupText(markup: Markup): string {
  return markup[MARKUP];
}

function contentText(content: Content): string {
  if (content === null) return '';
  if (typeof content === 'string') return escaped(content);
  if (typeof content === 'number') return String(content);
  return MARKUP in content ? content[MARKUP] : content.map(contentText).join('');
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Good in text and in quoted attributes. Control characters, which HTML does not allow, show as a replacement character. */
function escaped(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must go
  const visible = text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd');
  return visible.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
