import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { parseHumanLabels, readHumanLabels } from './human-labels.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-labels-'));
afterAll(() => rmSync(folder, { recursive: true }));

const label = { question_id: 'q', item_id: 'a', verdict: 'present' };
const parse = (more: object) => () =>
  parseHumanLabels(`\n${JSON.stringify({ ...label, ...more })}`, 'labels.jsonl');

it('names an item by its id, or by its trait and line; blank lines are passed over', () => {
  const text = `${JSON.stringify(label)}\n\n${JSON.stringify({ question_id: 'q', trait: 't', instruction: 'x', verdict: 'absent', rater: 'AB', note: 'sure' })}\n`;
  expect(parseHumanLabels(text)).toEqual([
    { questionId: 'q', item: { id: 'a' }, verdict: 'present', line: 1 },
    { questionId: 'q', item: { trait: 't', instruction: 'x' }, verdict: 'absent', rater: 'AB', line: 3 },
  ]);
});

it.each<[string, object, string]>([
  [
    'another verdict',
    { verdict: 'yes' },
    'labels.jsonl:2: verdict is "yes"; expected one of present, absent, contradicted, unclear',
  ],
  [
    'an impossible probability',
    { inclusion_probability: 1.5 },
    'inclusion_probability is 1.5; expected a probability above 0 and at most 1',
  ],
  ['no question', { question_id: undefined }, 'question_id is not given'],
  ['a blank question', { question_id: ' ' }, 'question_id is not given'],
  [
    'an item named twice',
    { trait: 't', instruction: 'x' },
    'expected either item_id, or both trait and instruction',
  ],
  [
    'half a name',
    { item_id: undefined, trait: 't' },
    'expected either item_id, or both trait and instruction',
  ],
  ['an unknown field', { verdct: 'x' }, 'unknown field "verdct"; did you mean verdict?'],
])('refuses %s', (_, more, message) => {
  expect(parse(more)).toThrow(message);
});

it('refuses what is no JSON, and an empty file', async () => {
  expect(() => parseHumanLabels('hello', 'l')).toThrow(
    'l:1: "hello" is not JSON; expected one object per line',
  );
  const path = join(folder, 'empty.jsonl');
  writeFileSync(path, '\n');
  await expect(readHumanLabels(path)).rejects.toThrow('no labels; expected one JSON object per line');
  await expect(readHumanLabels(join(folder, 'none'))).rejects.toThrow('no such file');
});

it('has a code for labels that are not valid', () => {
  expect(() => parseHumanLabels('{}')).toThrow(expect.objectContaining({ code: 'ERR_HUMAN_LABELS' }));
});
