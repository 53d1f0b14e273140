import { jsonrepair } from 'jsonrepair';
import { describe, expect, it } from 'vitest';
import {
  CONTRADICTORY,
  MALFORMED,
  malformed,
  PARTIAL,
  partial,
  REPAIRABLE,
  repairable,
  truncated,
} from './spoiled-reply.ts';

const answer = (id: string) => ({ id, prediction: 'present', abstained: false, confidence: 0.71 });
const batch = { results: ['case_1', 'case_2', 'case_3'].map(answer) };
const single = { prediction: 'present', abstained: false, confidence: 0.71 };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

describe('a spoiled reply', () => {
  it.each(MALFORMED)('malformed (%s) is not the answer', (kind) => {
    for (const value of [batch, single]) {
      const { text, value: asInput, finish } = malformed(value, [kind], 'p');
      expect(parsed(text)).not.toEqual(value);
      expect(asInput).toEqual(parsed(text));
      expect(finish).toBe('stop');
    }
  });

  it.each(CONTRADICTORY)('contradictory (%s) has more than one answer to a case', (kind) => {
    for (const value of [batch, single]) {
      const { text } = malformed(value, [kind], 'p');
      const count = (what: string) => text.split(what).length - 1;
      expect(count('"abstained":')).toBe((2 * count('"confidence":0.71')) / (kind === 'two_answers' ? 2 : 1));
      expect(text).toContain('"abstained":true');
      expect(text).toContain('"abstained":false');
    }
  });

  it.each(REPAIRABLE)('repairable (%s) has the whole answer in it', (kind) => {
    for (const value of [batch, single]) {
      const { text, value: asInput } = repairable(value, [kind], 'p');
      expect(parsed(text)).toBeNull();
      const from = text.lastIndexOf('</think>') + 1;
      const json = text.slice(text.indexOf('{', from), text.lastIndexOf('}') + 1);
      expect(JSON.parse(jsonrepair(json))).toEqual(value);
      expect(asInput).toEqual(value);
    }
  });

  it.each(PARTIAL)('partial (%s) lacks one case', (kind) => {
    const { results } = parsed(partial(batch, [kind], 'p').text) as typeof batch;
    const sure = batch.results.filter((right) => results.filter(({ id }) => id === right.id).length === 1);
    expect(sure).toHaveLength(2);
  });

  it('is cut in the middle when it was too long', () => {
    const { text, finish } = truncated(batch);
    expect(JSON.stringify(batch).startsWith(text)).toBe(true);
    expect([parsed(text), finish]).toEqual([null, 'length']);
  });

  it('takes all kinds in turn', () => {
    const kinds = new Set(
      Array.from({ length: 200 }, (_, i) => malformed(batch, MALFORMED, `prompt ${i}`).text),
    );
    expect(kinds.size).toBe(MALFORMED.length);
  });
});
