import { createHash } from 'node:crypto';
import { canonicalJson } from '../core/canonical-json.ts';
import type { PatientRecord } from '../core/patient-record.ts';
import type { Task } from './task.ts';

/** Hashing many short texts takes longer than hashing one. In UTF-16 code units. */
const HASHED_AT_ONCE = 2 ** 16;

/**
 * The identity of a frozen suite: SHA-256 of the canonical JSON of its task's name, its label space, and its records with labels and metadata, in order. Arms share
 * it. Records are taken one by one, so that a large suite is never one string.
 */
export function suiteHash(task: Pick<Task, 'id' | 'labels'>, records: Iterable<PatientRecord>): string {
  const hasher = suiteHasher(task);
  for (const record of records) hasher.add(record);
  return hasher.digest();
}

/** The same, one record at a time, for callers that iterate over the records anyway. */
export function suiteHasher(task: Pick<Task, 'id' | 'labels'>) {
  const hash = createHash('sha256');
  let text = `{"labels":${canonicalJson(task.labels)},"records":[`;
  let separator = '';
  return {
    add(record: PatientRecord): void {
      text += separator + canonicalJson(record);
      separator = ',';
      if (text.length < HASHED_AT_ONCE) return;
      hash.update(text);
      text = '';
    },
    digest: (): string => hash.update(`${text}],"task":${canonicalJson(task.id)}}`).digest('hex'),
  };
}
