import type { PatientRecord } from '../core/patient-record.ts';
import { getStratum } from '../core/patient-record.ts';
import { keysToKeep, type ScoringOptions } from '../metrics/score.ts';
import { protectedMetadata } from '../store/protected-data.ts';
import type { Suite } from '../suites/suite.ts';
import type { AnyTask } from '../suites/task.ts';
import { isProtected } from './egress.ts';

type Metadata = PatientRecord['metadata'];

/**
 * What a run stores of the metadata of its records. Of a protected suite that is what scores rest on: whether deferring is right, whether acting is urgent, the stratum of the task, groups that
 * the suite declares or the run is scored by, and clusters as running numbers.
 */
export function keptMetadata(
  suite: Suite<AnyTask>,
  {
    scoring,
    cluster,
  }: { readonly scoring?: ScoringOptions | undefined; readonly cluster?: string | undefined },
): (metadata: Metadata) => Metadata {
  if (!isProtected(suite)) return (metadata) => metadata;
  const task = suite.task.kind === 'text' ? null : suite.task;
  return protectedMetadata({
    clusters: [suite.cluster, cluster, scoring?.cluster],
    groups: [...(suite.groups ?? []), ...keysToKeep(scoring ?? {}), getStratum(task).key],
    task,
  });
}
