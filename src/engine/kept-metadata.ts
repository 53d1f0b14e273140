import type { PatientRecord } from '../core/index.ts';
import { keysToKeep, type ScoringOptions } from '../metrics/index.ts';
import { stratumOf } from '../suites/domains/index.ts';
import { type AnyTask, isReasonCode, type Suite } from '../suites/index.ts';
import { isProtected } from './egress.ts';

type Metadata = PatientRecord['metadata'];

/**
 * What a run stores of the metadata of its records. Of a protected suite that is what scores rest on: whether deferring is right, whether acting is urgent, the stratum of the task, groups that
 * the suite declares or the run is scored by, and clusters as running numbers. Names, reasons in words and all else stay out.
 */
export function keptMetadata(
  suite: Suite<AnyTask>,
  {
    scoring,
    cluster,
  }: { readonly scoring?: ScoringOptions | undefined; readonly cluster?: string | undefined },
): (metadata: Metadata) => Metadata {
  if (!isProtected(suite)) return (metadata) => metadata;
  const clusters = new Set([suite.cluster, cluster, scoring?.cluster].filter((key) => key !== undefined));
  const task = suite.task.kind === 'text' ? null : suite.task;
  const groups = new Set([...(suite.groups ?? []), ...keysToKeep(scoring ?? {}), stratumOf(task).key]);
  const numbers = new Map<string, Map<string, number>>();
  const numberOf = (key: string, value: unknown) => {
    const known = numbers.get(key) ?? new Map<string, number>();
    numbers.set(key, known);
    const text = String(value);
    if (!known.has(text)) known.set(text, known.size + 1);
    return known.get(text)!;
  };
  const kept = (key: string, value: unknown): unknown => {
    if (key === 'should_abstain' || key === 'must_act')
      return typeof value === 'boolean' || value === null ? value : undefined;
    if (clusters.has(key)) return value == null ? null : numberOf(key, value);
    if (REASONS.has(key)) {
      const codes = listOf(value).filter((reason) => isReasonCode(reason, task));
      return codes.length > 0 ? codes : undefined;
    }
    // Tags of a question are groups that its author declares.
    if (key === 'tags' && task === null) return listOf(value);
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

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : [];
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
