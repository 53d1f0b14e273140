import { fitImputer } from './imputation/imputer.ts';
import type { CkdPatient } from './patient.ts';
import { type UciFeature, uciColumn } from './source/columns.ts';
import type { Patients } from './sources.ts';

/** Labels rest on these: they are used to predict other values, and never filled in themselves. */
const NEVER_IMPUTED: readonly UciFeature[] = ['sc', 'age'];

/** Fills what was not measured, as learned on the training part alone, and marks every such value. */
export function imputePatients(patients: Patients, shown: readonly UciFeature[], seed: number): Patients {
  const columns = [...new Set<UciFeature>(['age', ...shown])];
  const { train, ...others } = patients;
  const imputer = fitImputer(
    train.map(({ values }) => ({ values: pick(values, columns) })),
    columns.map((name) => uciColumn(name)),
    { seed },
  );
  const fill = (people: readonly CkdPatient[]) => {
    const { rows, imputed } = imputer.apply(people.map(({ values }) => ({ values: pick(values, columns) })));
    return people.map((patient, i) => {
      const filled = (imputed[i] as UciFeature[]).filter((name) => !NEVER_IMPUTED.includes(name));
      return { ...patient, imputed: pick(rows[i]!.values, filled) };
    });
  };
  return { ...others, train: fill(train), test: fill(others.test) };
}

function pick<Value>(values: Readonly<Partial<Record<UciFeature, Value>>>, names: readonly UciFeature[]) {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<Record<UciFeature, Value>>;
}
