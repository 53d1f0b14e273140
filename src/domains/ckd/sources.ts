import { getHeapStatistics } from 'node:v8';
import { contentHash } from '../../core/canonical-json.ts';
import { askingOrder } from '../../suites/split/asking-order.ts';
import { stratifiedOrder, stratifiedSplit } from '../../suites/split/stratified.ts';
import { optionError } from '../../suites/suite-option.ts';
import { type CohortOptions, checkCohortSize, streamCohort } from './cohort/generate-cohort.ts';
import type { Missingness } from './cohort/missingness.ts';
import { ADULT_AGE, type Sex } from './equations/ckd-epi.ts';
import type { CkdPatient, CohortPatient } from './patient.ts';
import { UCI_FEATURES } from './source/columns.ts';
import { readUciFile, type UciTable } from './source/read-uci.ts';
import { learnRows, type SyntheticRow } from './synthetic/learned-rows.ts';

/** Patients to evaluate, and others to learn from. */
export interface Patients {
  readonly test: readonly CkdPatient[];
  readonly train: readonly CkdPatient[];
  readonly nTrain: number;
  /** People who were drawn and left out of both parts, by reason. Default: none. */
  readonly excluded?: ReadonlyMap<string, number>;
  /** The file behind them, where there is one. */
  readonly table?: UciTable;
}

/** Where sex is not recorded it is drawn: half of the people are female. */
const FEMALE_SHARE = 0.5;

/** The generated cohort. `testSize` decides how much larger the training part is. */
export function cohortPatients(options: {
  readonly nRecords: number;
  readonly testSize: number;
  readonly seed: number;
  readonly missingness: Missingness;
  readonly getStratum: (patient: CkdPatient) => string;
  readonly withVisits: boolean;
}): Patients {
  const { getStratum, nRecords, seed, missingness, withVisits } = options;
  const n = Math.ceil(nRecords / options.testSize - 1e-9);
  const excluded = new Map<string, number>();
  const generate = (countInto: Map<string, number>) =>
    streamPatients({ n, seed, missingness, withVisits, excluded: countInto });
  if (n === nRecords) return { test: [...generate(excluded)], train: [], nTrain: 0, excluded };
  // Generated again for each part: all at once would take far more memory than the part that is evaluated.
  checkCohortSize(n);
  checkMemory(nRecords);
  const strata = [...generate(excluded).map(getStratum)];
  const positions = [...strata.keys()];
  const ofPosition = (position: number) => strata[position]!;
  const split = stratifiedSplit(positions, ofPosition, { testSize: nRecords, seed });
  const chosen = new Set(
    split.test.length === nRecords
      ? split.test
      : // With few records, the requested number takes precedence over having every stratum in both parts.
        stratifiedOrder(positions, ofPosition, seed).slice(0, nRecords),
  );
  const part = (isTest: boolean) => [
    ...generate(new Map()).filter((_, position) => chosen.has(position) === isTest),
  ];
  return {
    test: part(true),
    get train() {
      return part(false);
    },
    nTrain: strata.length - chosen.size,
    excluded,
  };
}

/** Measured: 20,000 records with a training part run in 192 MB of heap and not in 160. */
const BASE_BYTES = 64 * 2 ** 20;
const BYTES_PER_RECORD = 6200;

/** The heap without its young part, three semi-spaces of 64 MB by default, which holds nothing for long. */
function oldSpaceLimit(): number {
  const flags = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ');
  const semiSpace = Number(/--max-semi-space-size=(\d+)/.exec(flags)?.[1] ?? 64);
  return getHeapStatistics().heap_size_limit - 3 * semiSpace * 2 ** 20;
}

/** Says beforehand that memory will not do, in place of a crash in the middle of a run. */
export function checkMemory(nRecords: number, limit = oldSpaceLimit()): void {
  const needed = BASE_BYTES + nRecords * BYTES_PER_RECORD;
  if (needed <= limit) return;
  const megabytes = (bytes: number) => Math.ceil(bytes / 2 ** 20);
  throw optionError(
    `CKD suite: ${nRecords} records with a training part need about ${megabytes(needed)} MB of heap, and Node has ${megabytes(limit)}; raise its --max-old-space-size, or set testSize to 1, which keeps no patients in memory`,
    nRecords,
  );
}

/** The people of a cohort one at a time. With visits, those without a course to ask about are left out and counted in `excluded`. */
export function* streamPatients(
  options: CohortOptions & { readonly withVisits: boolean; readonly excluded: Map<string, number> },
): Generator<CkdPatient> {
  const { withVisits, excluded, ...cohort } = options;
  const leaveOut = (patient: CohortPatient) => {
    const reason = withVisits ? whyLeftOut(patient) : null;
    if (reason !== null) excluded.set(reason, (excluded.get(reason) ?? 0) + 1);
    return reason !== null;
  };
  for (const patient of streamCohort({ ...cohort, leaveOut })) yield fromCohort(patient, withVisits);
}

/** Why a person has no place in the progression task: a true course between the definitions, or an adult who was a child at the first visit. */
function whyLeftOut({ age, visits, truth }: CohortPatient): string | null {
  if (age >= ADULT_AGE && visits[0]!.age < ADULT_AGE) return 'under_18_at_first_visit';
  return truth.course === null ? 'course_between_definitions' : null;
}

/** A generated patient in the form that all sources share. */
function fromCohort(patient: CohortPatient, withVisits: boolean): CkdPatient {
  return {
    sourceId: `cohort-${patient.index}`,
    origin: 'cohort',
    age: patient.age,
    sex: patient.sex,
    sexAssumed: false,
    values: patient.values,
    acr: patient.acr,
    context: patient.context,
    remark: patient.remark,
    imputed: {},
    ...(withVisits ? { visits: patient.visits, trueTrajectory: patient.truth.trajectory } : {}),
  };
}

/** The UCI file: split first, then synthetic rows are learned from the training part. */
export async function uciPatients(options: {
  readonly dataPath: string;
  readonly testSize: number;
  readonly seed: number;
  readonly nSynthetic: number;
}): Promise<Patients> {
  const table = await readUciFile(options.dataPath);
  const { testSize, seed, nSynthetic: n } = options;
  const { train, test } = stratifiedSplit(table.rows, (row) => row.class, { testSize, seed });
  const real = (row: UciTable['rows'][number]) => fromUci(row, { sourceId: row.id, origin: 'uci', seed });
  const learned = learnRows(train, UCI_FEATURES, { n, seed }).map((row, i) =>
    fromUci(row, { sourceId: `synthetic-${i}`, origin: 'uci_synthetic', seed }),
  );
  const evaluated = [...test.map(real), ...learned];
  // The file is sorted by class: in its order, the neighbours of a record would give its label away.
  const order = askingOrder(
    evaluated.map(({ sourceId: id }) => ({ id })),
    seed,
  );
  return {
    test: order.map((place) => evaluated[place]!),
    train: train.map(real),
    nTrain: train.length,
    table,
  };
}

/** Synthetic rows have neither sex nor ACR, and the file has them only where a user's copy does. */
function fromUci(
  { values, class: uciClass }: Pick<SyntheticRow, 'values' | 'class'>,
  { seed, ...source }: Pick<CkdPatient, 'sourceId' | 'origin'> & { readonly seed: number },
): CkdPatient {
  const sex = (values.sex ?? null) as Sex | null;
  return {
    ...source,
    age: (values.age ?? null) as number | null,
    sex: sex ?? drawnSex(seed, source.sourceId),
    sexAssumed: sex === null,
    values: Object.fromEntries(
      UCI_FEATURES.map(({ name }) => [name, values[name] ?? null]),
    ) as CkdPatient['values'],
    ...(values.acr === undefined ? {} : { acr: values.acr as number | null }),
    imputed: {},
    uciClass,
  };
}

/** Depends on the seed and the id only: on no analyte, and not on the order of rows. */
function drawnSex(seed: number, sourceId: string): Sex {
  const share = Number.parseInt(contentHash({ seed, sourceId }).slice(0, 8), 16) / 2 ** 32;
  return share < FEMALE_SHARE ? 'female' : 'male';
}
