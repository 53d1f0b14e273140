import { describe, expect, it } from 'vitest';
import { jsonCell, labelCell, objectCell, UnexpectedCell } from './stored-cells.ts';

const SECRET = 'Erika Mustermann';
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('a cell', () => {
  it('is read as what its column holds', () => {
    expect(jsonCell('[1, {"a": null}]', 'x')).toEqual([1, { a: null }]);
    expect(jsonCell(nested(100), 'x')).toBeInstanceOf(Array);
    expect(objectCell('{"a": 1}', 'x')).toEqual({ a: 1 });
    expect(['"yes"', '2', 'true', 'null'].map((cell) => labelCell(cell, 'x'))).toEqual([
      'yes',
      2,
      true,
      null,
    ]);
  });

  it.each([
    ['JSON', () => jsonCell(SECRET, 'x')],
    ['text', () => jsonCell(new Uint8Array([49]), 'x')],
    ['text', () => jsonCell(null, 'x')],
    ['a shallow value', () => jsonCell(nested(101), 'x')],
    ['an object', () => objectCell(`["${SECRET}"]`, 'x')],
    ['a label', () => labelCell(`["${SECRET}"]`, 'x')],
  ])('that is not %s is refused, and not quoted', (_, read) => {
    expect(read).toThrow(UnexpectedCell);
    expect(read).not.toThrow(SECRET);
  });
});
