import type { PatientRecord } from '../core/index.ts';
import { stratumOf } from '../core/index.ts';
import { describeRecords, withoutFreeText } from './describe-records.ts';
import { type Exclusions, excludedVersion } from './exclusions.ts';
import type { AnySuite } from './questions/question-suite.ts';
import { isQuestionSuite } from './questions/question-suite.ts';
import type { Suite, SuiteDescription } from './suite.ts';
import type { AnyTask } from './task.ts';

/**
 * The same suite without the records of a list, which is another version of it: its hash is that of the list. Every model is scored without them.
 *
 * @throws KrisisError with the code `ERR_EXCLUSIONS` where the list is for another suite or version; for records with labels when the suite is described.
 */
export function excludeRecords(suite: AnySuite, list: Exclusions): AnySuite {
  const left = new Set(list.records.map(({ id }) => id));
  const stays = ({ id }: { readonly id: string }) => !left.has(id);
  if (!isQuestionSuite(suite)) return withoutRecords(suite, list, stays);
  const { sensitivity, rubric } = suite;
  const questions = suite.questions.filter(stays);
  const hash = excludedVersion(suite.hash, list);
  return { ...withoutRecords(suite, list, stays), sensitivity, rubric, questions, hash };
}

function withoutRecords<T extends AnyTask>(
  suite: Suite<T>,
  list: Exclusions,
  stays: (record: { readonly id: string }) => boolean,
): Suite<T> {
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
      const isText = task.kind === 'text';
      const stratum = stratumOf(isText ? null : task);
      const counts = describeRecords(await load(), isText ? [] : task.labels, stratum);
      return {
        ...whole,
        ...withoutFreeText(counts, suite),
        // A question has no label, and nothing to stratify by.
        ...(isText && { labels: [], strata: [] }),
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
