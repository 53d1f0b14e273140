import type { PatientRecord } from '../../core/patient-record.ts';
import { createRandom, type RandomPurpose, shuffle } from '../../statistics/random.ts';
import { describeSuite, RecordCounts } from '../../suites/describe-records.ts';
import type { Suite, SuiteDescription } from '../../suites/suite.ts';
import { suiteHasher } from '../../suites/suite-hash.ts';
import type { Task } from '../../suites/task.ts';

/** What is said of a suite once its records are counted. */
type About = Pick<SuiteDescription, 'settings' | 'provenance' | 'warnings' | 'nTraining' | 'excluded'>;
type Counted = Omit<SuiteDescription, keyof About>;

/** A suite whose records are made one at a time. */
export interface CohortSuiteDefinition {
  /** The domain in words. */
  readonly domain: string;
  readonly task: Task;
  readonly sensitivity: 'synthetic' | 'public';
  /** The most records that are evaluated. */
  readonly nRecords: number;
  /** Makes the records of a part, always the same in the same order. */
  readonly records: (part: 'test' | 'train') => Iterable<PatientRecord> | Promise<Iterable<PatientRecord>>;
  /** Whether `records` makes them one at a time, without a promise. Default: true. */
  readonly canStream?: boolean;
  /** Sees every record while the suite is described. Default: nothing is counted besides what every suite counts. */
  readonly count?: (record: PatientRecord) => void;
  /** What a reader must know, asked for after the records were made and counted. */
  readonly about: (counted: Counted) => About | Promise<About>;
}

/** Of a task that names none, all records are in one. */
const NO_STRATUM = { key: 'stratum', label: 'stratum' } as const;

/** Records of a cohort of at most this size stay in memory, so that a run makes them once. */
const MAX_KEPT = 20_000;

/** A suite that streams: records are counted and hashed while they are made, in one pass. */
export class CohortSuite implements Suite {
  readonly name: string;
  readonly task: Task;
  readonly sensitivity: 'synthetic' | 'public';
  readonly #definition: CohortSuiteDefinition;
  #kept: PatientRecord[] | null = null;
  #loaded: Promise<PatientRecord[]> | undefined;
  #described: Promise<SuiteDescription> | undefined;

  constructor(definition: CohortSuiteDefinition) {
    this.#definition = definition;
    this.name = definition.task.id;
    this.task = definition.task;
    this.sensitivity = definition.sensitivity;
  }

  load(): Promise<PatientRecord[]> {
    this.#loaded ??= this.#makeAll();
    return this.#loaded;
  }

  async training(): Promise<PatientRecord[]> {
    return [...(await this.#definition.records('train'))];
  }

  /** False also when all records are in memory already. */
  canStream(): boolean {
    return this.#kept === null && (this.#definition.canStream ?? true);
  }

  stream(): Iterable<PatientRecord> {
    return this.#kept ?? this.#makeOnce();
  }

  describe(): Promise<SuiteDescription> {
    this.#described ??= this.#describe();
    return this.#described;
  }

  async #makeAll(): Promise<PatientRecord[]> {
    this.#kept ??= [...(this.canStream() ? this.stream() : await this.#definition.records('test'))];
    return this.#kept;
  }

  *#makeOnce(): Generator<PatientRecord> {
    const { nRecords, records } = this.#definition;
    const made: PatientRecord[] | null = nRecords <= MAX_KEPT ? [] : null;
    for (const record of records('test') as Iterable<PatientRecord>) {
      made?.push(record);
      yield record;
    }
    this.#kept ??= made;
  }

  async #describe(): Promise<SuiteDescription> {
    const { task, domain, count, about } = this.#definition;
    const counts = new RecordCounts(task.stratum ?? NO_STRATUM);
    const hasher = suiteHasher(task);
    // A large cohort would fill the memory.
    for (const record of this.canStream() ? this.stream() : await this.load()) {
      counts.add(record);
      hasher.add(record);
      count?.(record);
    }
    const counted = {
      ...describeSuite(this),
      domain,
      hash: hasher.digest(),
      ...counts.counts(task.labels),
    };
    return { ...counted, ...(await about(counted)) };
  }
}

/** What a suite on a generated cohort and one on the people of a survey have in common. */
interface PeopleSuiteDefinition<P>
  extends Pick<CohortSuiteDefinition, 'domain' | 'task'>,
    Pick<About, 'provenance'> {
  readonly record: (person: P) => PatientRecord;
  /** Share of the people to evaluate; the rest is for learning. */
  readonly testSize: number;
  /** Settings that shaped the records, in file form. */
  readonly settings: About['settings'];
  readonly warnings: (counted: Counted) => readonly string[];
}

/** A suite on generated people: the first of them are evaluated, those after them are for learning. */
export function generatedSuite<P>(
  definition: PeopleSuiteDefinition<P> & {
    readonly nRecords: number;
    /** The people of the seed, without end. */
    readonly people: () => IteratorObject<P>;
  },
): CohortSuite {
  const { domain, task, people, record, nRecords, testSize, settings, provenance, warnings } = definition;
  const nTraining = Math.round(nRecords / testSize) - nRecords;
  return new CohortSuite({
    domain,
    task,
    sensitivity: 'synthetic',
    nRecords,
    records: (part) =>
      (part === 'test' ? people().take(nRecords) : people().drop(nRecords).take(nTraining)).map(record),
    about: (counted) => ({ nTraining, settings, provenance, warnings: warnings(counted) }),
  });
}

/** A suite on people of a file, who are put in the order of a seed before they are split. */
export function surveySuite<P>(
  definition: PeopleSuiteDefinition<P> & {
    readonly people: readonly P[];
    readonly seed: number;
    /** The random stream of the order. */
    readonly stream: RandomPurpose;
    /** People who were left out, by reason. */
    readonly excluded: ReadonlyMap<string, number>;
  },
): CohortSuite {
  const { domain, task, record, seed, stream, testSize, settings, provenance, warnings } = definition;
  const people = shuffle(createRandom(seed, stream), [...definition.people]);
  const nTest = Math.max(1, Math.round(people.length * testSize));
  return new CohortSuite({
    domain,
    task,
    sensitivity: 'public',
    nRecords: nTest,
    records: (part) => (part === 'test' ? people.slice(0, nTest) : people.slice(nTest)).map(record),
    about: (counted) => ({
      nTraining: people.length - nTest,
      excluded: [...definition.excluded].map(([reason, n]) => ({ reason, n })),
      settings,
      provenance,
      warnings: warnings(counted),
    }),
  });
}
