import type { KrisisError } from '../core/errors.ts';
import type { PatientRecord } from '../core/patient-record.ts';
import { isReasonCode } from '../suites/describe-records.ts';
import { fileError } from './file-errors.ts';
import type { Run } from './run.ts';

/**
 * What is kept of the metadata of a protected record, in a run file and in everything made of one: whether deferring is right, only for nearness to a line, whether acting is urgent, reasons that are codes, groups, and
 * clusters as running numbers. Names, reasons in words and all else stay out. The one place that decides this.
 */
export function protectedMetadata(keys: {
  /** Kept as they are, where the value is a text, a number or a flag. */
  readonly groups: Iterable<string | null | undefined>;
  /** Kept as running numbers. */
  readonly clusters: Iterable<string | null | undefined>;
  /** What the task says of reasons to defer; null for open questions, whose tags are kept. */
  readonly task: { readonly deferralReasons?: Readonly<Record<string, unknown>> | null | undefined } | null;
}): (metadata: PatientRecord['metadata']) => PatientRecord['metadata'] {
  const clusters = new Set(keys.clusters);
  const groups = new Set(keys.groups);
  const numbers = new Map<string, Map<string, number>>();
  const renumber = (key: string, value: unknown) => {
    const known = numbers.get(key) ?? new Map<string, number>();
    numbers.set(key, known);
    const text = String(value);
    if (!known.has(text)) known.set(text, known.size + 1);
    return known.get(text)!;
  };
  const kept = (key: string, value: unknown): unknown => {
    if (key === 'should_abstain' || key === 'must_act' || key === 'near_line')
      return typeof value === 'boolean' || value === null ? value : undefined;
    if (clusters.has(key)) return value == null ? null : renumber(key, value);
    if (REASONS.has(key)) {
      const codes = toTexts(value).filter((reason) => isReasonCode(reason, keys.task));
      return codes.length > 0 ? codes : undefined;
    }
    // Tags of a question are groups that its author declares.
    if (key === 'tags' && keys.task === null) return toTexts(value);
    return groups.has(key) && isScalar(value) ? value : undefined;
  };
  return (metadata) =>
    Object.fromEntries(
      Object.entries(metadata).flatMap(([key, value]) => {
        const left = kept(key, value);
        return left === undefined ? [] : [[key, left]];
      }),
    );
}

const REASONS: ReadonlySet<string> = new Set(['should_abstain_reasons', 'must_act_reasons']);

function toTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : [];
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** Whether a run of open questions has no texts of its answers, because its data are protected. Its answers can be judged or reviewed only by a run that keeps them. */
export function needsKeptText({ sensitivity, keepText }: Pick<Run, 'sensitivity' | 'keepText'>): boolean {
  const isProtected = (sensitivity ?? 'protected') === 'protected';
  return isProtected && keepText !== true;
}

/** The error for what cannot be done without the texts of a run. */
export function textNotKept(path: string): KrisisError {
  return fileError(
    path,
    'its data are protected, and the texts of its answers were not stored; start a run that keeps them (keepText), with patient data blocked out',
    'ERR_TEXT_NOT_KEPT',
  );
}
