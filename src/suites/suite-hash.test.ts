import { describe, expect, it } from 'vitest';
import { contentHash } from '../core/canonical-json.ts';
import type { PatientRecord } from '../core/patient-record.ts';
import { suiteHash, suiteHasher } from './suite-hash.ts';

const task = { id: 'demo/yes-no', labels: ['yes', 'no'] };
const first: PatientRecord = { id: 'a', features: { x: 1, y: null }, label: 'yes', metadata: { site: 'n' } };
const second: PatientRecord = { id: 'b', features: { x: 2, y: 0 }, label: 'no', metadata: {} };
const hash = suiteHash(task, [first, second]);

describe('suiteHash', () => {
  it('is not moved by the order of keys', () => {
    const turned = { metadata: { site: 'n' }, label: 'yes', features: { y: null, x: 1 }, id: 'a' };
    expect(suiteHash(task, [turned, second])).toBe(hash);
  });

  it('is that of the canonical JSON of the whole, also of a stream', () => {
    expect(hash).toBe(contentHash({ task: task.id, labels: task.labels, records: [first, second] }));
    expect(suiteHash(task, [])).toBe(contentHash({ task: task.id, labels: task.labels, records: [] }));
    expect(suiteHash(task, new Set([first, second]).values())).toBe(hash);
  });

  it('is the same where records are added one by one', () => {
    const hasher = suiteHasher(task);
    for (const record of [first, second]) hasher.add(record);
    expect(hasher.digest()).toBe(hash);
  });

  it('is shared by the arms of a task', () => {
    const arms = (instructions: string) => ({ ...task, arms: { natural: { instructions } } });
    expect(suiteHash(arms('Answer.'), [first, second])).toBe(suiteHash(arms('Defer.'), [first, second]));
  });

  it.each<[string, typeof task, PatientRecord[]]>([
    ['an id', task, [{ ...first, id: 'c' }, second]],
    ['a feature', task, [{ ...first, features: { x: 1.1, y: null } }, second]],
    ['a gap', task, [{ ...first, features: { x: 1, y: 0 } }, second]],
    ['a label', task, [{ ...first, label: 'no' }, second]],
    ['metadata', task, [{ ...first, metadata: { site: 'm' } }, second]],
    ['the order of records', task, [second, first]],
    ['a case less', task, [first]],
    ['the task', { ...task, id: 'demo/no-yes' }, [first, second]],
    ['the label space', { ...task, labels: ['yes', 'no', 'both'] }, [first, second]],
  ])('is another with %s', (_, given, records) => {
    expect(suiteHash(given, records)).not.toBe(hash);
  });
});
