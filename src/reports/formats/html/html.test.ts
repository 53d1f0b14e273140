import fc from 'fast-check';
import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { html, markupText, raw } from './html.ts';

describe('html', () => {
  it('escapes everything that is not markup', () => {
    expect(markupText(html`<p title="${`"'`}">${'<b>&'}</p>`)).toBe(
      '<p title="&quot;&#39;">&lt;b&gt;&amp;</p>',
    );
  });

  it('keeps markup, joins lists, and shows nothing for null', () => {
    const items = ['<1>', '2'].map((item) => html`<li>${item}</li>`);
    expect(markupText(html`<ul>${items}${null}${3}${raw('<hr>')}</ul>`)).toBe(
      '<ul><li>&lt;1&gt;</li><li>2</li>3<hr></ul>',
    );
  });

  it('takes out control characters, and leaves line breaks', () => {
    expect(markupText(html`${'a\u0000\u001b\u009b\n\tb'}`)).toBe('a\ufffd\ufffd\ufffd\n\tb');
  });

  it('gives any text back to who reads the page, and makes no element of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        const page = markupText(html`<html><body><p data-x="${text}">${text}</p></body></html>`);
        const { document } = parseHTML(page);
        const [paragraph, ...others] = document.querySelectorAll('body *');
        expect(others).toEqual([]);
        expect(paragraph!.textContent).toBe(text);
        expect(paragraph!.getAttribute('data-x')).toBe(text);
      }),
    );
  });
});
