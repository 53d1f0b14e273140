import { hash } from 'node:crypto';
import { canonicalJson } from '../../core/index.ts';

/** SHA-256 of an answer, or of an item, exactly as the reviewer saw it. Where there is no item, it is the hash of the empty text. */
export function seenTextHash(text: string): string {
  return hash('sha256', text);
}

/** SHA-256 of a record as the reviewer saw it: the canonical JSON of its features. */
export function seenRecordHash(features: Readonly<Record<string, unknown>>): string {
  return hash('sha256', canonicalJson(features));
}
