import type { PatientRecord } from '../core/patient-record.ts';
import { getStratum } from '../core/patient-record.ts';
import { describeRecords, withoutFreeText } from './describe-records.ts';
import { type Exclusions, excludedVersion } from './exclusions.ts';
import type { Suite, SuiteDescription } from './suite.ts';
import type { AnyTask } from './task.ts';

/** What all kinds of suites have in common: records, settings and description. */
export function withoutRecords<T extends AnyTask>(suite: Suite<T>, list: Exclusions): Suite<T> {
  const left = new Set(list.records.map(({ id }) => id));
  const stays = ({ id }: PatientRecord) => !left.has(id);
  const { name, task, sensitivity, groups, cluster } = suite;
  const load = async (): Promise<PatientRecord[]> => (await suite.load()).filter(stays);
  const { stream, canStream, training } = suite;
  return {
    name,
    task,
    ...(sensitivity !== undefined && { sensitivity }),
    ...(groups !== undefined && { groups }),
    ...(cluster !== undefined && { cluster }),
    load,
    ...(stream !== undefined && { stream: () => remaining(stream.call(suite), stays) }),
    ...(canStream !== undefined && { canStream: () => canStream.call(suite) }),
    ...(training !== undefined && { training: () => training.call(suite) }),
    async describe(): Promise<SuiteDescription> {
      const whole = await suite.describe();
      const counts = describeRecords(await load(), task.labels, getStratum(task));
      return {
        ...whole,
        ...withoutFreeText(counts, suite),
        // What the whole suite is not counted by has no counts for a part either.
        ...(whole.labels.length === 0 && { labels: [] }),
        ...(whole.strata.length === 0 && { strata: [] }),
        hash: excludedVersion(whole.hash, list),
        excluded: [
          ...(whole.excluded ?? []),
          { reason: 'found_wrong_in_review', n: whole.nRecords - counts.nRecords },
        ],
      };
    },
  };
}

function* remaining(
  records: Iterable<PatientRecord>,
  stays: (record: PatientRecord) => boolean,
): Generator<PatientRecord> {
  for (const record of records) if (stays(record)) yield record;
}
