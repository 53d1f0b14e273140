import type { PatientRecord } from '../../core/index.ts';
import { describeSuite, RecordCounts } from '../../suites/describe-records.ts';
import type { Suite, SuiteDescription } from '../../suites/suite.ts';
import { suiteHash } from '../../suites/suite-hash.ts';
import type { Task } from '../../suites/task.ts';

/** A suite whose records are made one at a time. */
export interface CohortSuiteDefinition {
  /** `<domain>/<task>`. */
  readonly name: string;
  /** The domain in words. */
  readonly domain: string;
  readonly task: Task;
  readonly sensitivity: 'synthetic' | 'public';
  /** How many records there are to learn from. */
  readonly nTraining: number;
  /** Makes the records of a part, always the same in the same order. */
  readonly records: (part: 'test' | 'train') => Iterable<PatientRecord>;
  /** Settings that shaped the records, in file form. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly provenance: Readonly<Record<string, string>>;
  /** What a reader must know before quoting a score, from what was counted in the records. */
  readonly warnings: (description: Omit<SuiteDescription, 'warnings'>) => readonly string[];
  /** People who were read and are in neither part, by reason; asked for after the records were made. Default: none. */
  readonly excluded?: () => SuiteDescription['excluded'];
}

/** Of a task that names none, all records are in one. The default of the domains is not asked for: domains load their suites, which use this file. */
const NO_STRATUM = { key: 'stratum', label: 'stratum' } as const;

/** A suite that streams: records are counted and hashed while they are made, in one pass. */
export function cohortSuite(definition: CohortSuiteDefinition): Suite {
  const { name, task, sensitivity, nTraining, records, settings, provenance, warnings } = definition;
  let loaded: Promise<PatientRecord[]> | undefined;
  let described: Promise<SuiteDescription> | undefined;
  const suite = { name, task, sensitivity };

  async function describe(): Promise<SuiteDescription> {
    const counts = new RecordCounts(task.stratum ?? NO_STRATUM);
    const made: Iterable<PatientRecord> = loaded === undefined ? records('test') : await loaded;
    const counted = function* () {
      for (const record of made) {
        counts.add(record);
        yield record;
      }
    };
    const hash = suiteHash(task, counted());
    const excluded = definition.excluded?.();
    const description = {
      ...describeSuite(suite),
      domain: definition.domain,
      hash,
      ...counts.counts(task.labels),
      nTraining,
      ...(excluded && { excluded }),
      settings,
      provenance,
    };
    return { ...description, warnings: warnings(description) };
  }

  return {
    ...suite,
    load() {
      loaded ??= Promise.resolve().then(() => [...records('test')]);
      return loaded;
    },
    stream: () => records('test'),
    training: async () => [...records('train')],
    describe() {
      described ??= describe();
      return described;
    },
  };
}
