import fc from 'fast-check';
import { expect, it } from 'vitest';
import { xmlText } from './xml-text.ts';

it('leaves ordinary text alone, in any script', () => {
  expect(xmlText('Ödem 腎臓 😀 (mL/min)')).toBe('Ödem 腎臓 😀 (mL/min)');
});

it('escapes what has a meaning, and takes out what may not be there', () => {
  expect(xmlText('<a b="c">&\'\u0000\u001b[31m\ud800\ufffe</a>\n')).toBe(
    '&lt;a b=&quot;c&quot;&gt;&amp;&apos;[31m&lt;/a&gt;&#10;',
  );
});

it('never lets through anything that could end a text or an attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(xmlText(text)).not.toMatch(/[<>"'\n\r\t]|\p{Cc}|\p{Cs}/u);
    }),
  );
});
