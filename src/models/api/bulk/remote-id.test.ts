import { describe, expect, it } from 'vitest';
import { RESOURCE_NAME } from './google-bulk.ts';
import { checkedId } from './remote-id.ts';

const STRANGE = [
  '',
  '.',
  '..',
  '../models',
  'a/b',
  'a%2fb',
  'a?b',
  'a#b',
  'a b',
  'a\n',
  '\u001b[2J',
  'é',
  'a'.repeat(300),
];

describe('ids of jobs and files at a provider', () => {
  it('have letters, digits, underscores and hyphens only', () => {
    for (const id of ['batch_68a', 'file-A1b2', 'msgbatch_01', '5f0c1c52-8e6a-4d0b'])
      expect(checkedId(id)).toBe(id);
    for (const id of [...STRANGE, 'batches/a'])
      expect(() => checkedId(id), id).toThrow('characters that no id has');
  });

  it('begin with the kind at Google', () => {
    for (const name of ['batches/a1', 'files/x-y_z']) expect(checkedId(name, RESOURCE_NAME)).toBe(name);
    for (const id of STRANGE)
      for (const name of [id, `batches/${id}`, `models/${id}`, `files/${id}/x`, 'a1'])
        expect(() => checkedId(name, RESOURCE_NAME), name).toThrow('characters that no id has');
  });
});
