import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DelimitedRow, delimitedRows, UnclosedQuote } from './rows.ts';

const rows = (texts: readonly string[], delimiter: ',' | ';' | '|' = ',') => [
  ...delimitedRows(texts, delimiter),
];

it('cuts the same rows wherever the pieces end', () => {
  const text = '\n\na,b\n1,"x\ny"\n\n"é,é",4\n"say ""no""", 5 \n6,7';
  const whole: DelimitedRow[] = [
    { line: 3, cells: ['a', 'b'] },
    { line: 4, cells: ['1', 'x\ny'] },
    { line: 7, row: 6, cells: ['é,é', '4'] },
    { line: 8, row: 7, cells: ['say "no"', '5'] },
    { line: 9, row: 8, cells: ['6', '7'] },
  ];
  expect(rows([text])).toEqual(whole);
  for (let i = 0; i < text.length; i++) expect(rows([text.slice(0, i), text.slice(i)])).toEqual(whole);
  expect(rows([...text])).toEqual(whole);
});

it('cuts any text the same in pieces as in one', () => {
  const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', ' ', ',', '"', '\n', 'é') }), {
    maxLength: 12,
  });
  const attempt = (texts: readonly string[]) => {
    const found: unknown[] = [];
    try {
      for (const row of delimitedRows(texts, ',')) found.push(row);
    } catch (error) {
      found.push((error as UnclosedQuote).line);
    }
    return found;
  };
  fc.assert(
    fc.property(pieces, (texts) => {
      expect(attempt(texts)).toEqual(attempt([texts.join('')]));
    }),
  );
});

it('says where a quotation mark is that is never closed, after the rows before it', () => {
  const found: DelimitedRow[] = [];
  const read = () => {
    for (const row of delimitedRows(['a,b\n1,2\n', '\n3,"4\n5,6\n'], ',')) found.push(row);
  };
  expect(read).toThrow(new UnclosedQuote(4));
  expect(found).toHaveLength(2);
});

it('does not read a whole file for a quotation mark that is never closed', () => {
  const text = 'x'.repeat(1 << 20);
  let pieces = 0;
  const endless = function* () {
    yield 'a,b\n1,"';
    for (; pieces < 1000; pieces++) yield text;
  };
  expect(() => [...delimitedRows(endless(), ',')]).toThrow(new UnclosedQuote(2));
  expect(pieces).toBeLessThan(20);
});
