import { createHash } from 'node:crypto';
import { canonicalJson } from '../core/canonical-json.ts';
import type { PatientRecord } from '../core/patient-record.ts';
import type { Task } from './task.ts';

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
  hash.update(`{"labels":${canonicalJson(task.labels)},"records":[`);
  let first = true;
  return {
    add(record: PatientRecord): void {
      const text = canonicalJson(record);
      hash.update(first ? text : `,${text}`);
      first = false;
    },
    digest: (): string => hash.update(`],"task":${canonicalJson(task.id)}}`).digest('hex'),
  };
}
