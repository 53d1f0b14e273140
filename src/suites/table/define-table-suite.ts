import { createHash } from 'node:crypto';
import { isAbsolute, relative, resolve } from 'node:path';
import { labelKey } from '../../core/index.ts';
import { defineSuite } from '../define-suite.ts';
import { problemsError } from '../file-problem.ts';
import { stratifiedSplit } from '../split/stratified-split.ts';
import type { Suite } from '../suite.ts';
import { checkDefinition } from './check-definition.ts';
import type { TableDefinition } from './definition.ts';
import type { CheckedDefinition } from './definition-schema.ts';
import { readTable } from './read-table.ts';
import { tableRecords } from './table-records.ts';
import { tableTask } from './table-task.ts';

/**
 * A suite from a table of your own: CSV, TSV or JSONL. The definition is checked at once; the file is read and checked when it is first needed, so that a
 * suite can be named where its data are not.
 *
 * The model sees the shown columns and nothing else; label, deferral labels and metadata are for scoring.
 *
 * @example
 * ```ts
 * const suite = defineTableSuite({
 *   name: 'ward7/sodium',
 *   file: 'examples/table-suite/sodium.csv',
 *   columns: ['age', 'serum_sodium', 'symptoms'],
 *   label: 'diagnosis',
 *   shouldAbstain: 'should_abstain',
 *   instructions: 'Classify the sodium. Abstain when the data do not support a safe answer.',
 * });
 * suite.sensitivity // => 'protected'
 * Object.keys((await suite.load())[0].features) // => ['age', 'serum_sodium', 'symptoms']
 * ```
 *
 * @throws KrisisError when the definition is wrong; at first use, with up to 20 problems at once, when the file is.
 */
export function defineTableSuite(definition: TableDefinition): Suite {
  return suiteFrom(checkDefinition(definition));
}

/** The suite of a definition that has been checked. */
export function suiteFrom(definition: CheckedDefinition): Suite {
  let read: Suite | undefined;
  const suite = () => {
    read ??= readSuite(definition);
    return read;
  };
  const known = definition.labels && tableTask(definition, definition.labels);
  return {
    name: definition.name,
    sensitivity: definition.sensitivity,
    groups: definition.groups,
    ...(definition.cluster && { cluster: definition.cluster }),
    get task() {
      return known ?? suite().task;
    },
    load: async () => suite().load(),
    training: async () => suite().training!(),
    describe: async () => suite().describe(),
  };
}

function readSuite(definition: CheckedDefinition): Suite {
  const { file, folder = process.cwd(), name, sensitivity, groups, cluster, testSize, seed } = definition;
  const path = resolve(folder, file);
  const fromHere = relative(process.cwd(), path);
  const shownPath = fromHere.startsWith('..') || isAbsolute(fromHere) ? path : fromHere;
  const { table, bytes } = readTable(path, shownPath);
  const { records, labels, warnings, problems } = tableRecords(table, definition);
  if (problems.length > 0) throw problemsError(shownPath, problems);
  const { train, test } =
    testSize === undefined
      ? { train: [], test: records }
      : stratifiedSplit(records, ({ label }) => (label === null ? '' : labelKey(label)), {
          testSize,
          seed,
        });
  return defineSuite({
    name,
    task: tableTask(definition, labels),
    sensitivity,
    groups,
    ...(cluster !== undefined && { cluster }),
    load: () => [...test],
    training: () => [...train],
    settings: {
      file,
      columns: Object.keys(records[0]!.features),
      missing: ['', ...definition.missing.map(String).filter((marker) => marker !== '')],
      ...(testSize === undefined ? {} : { test_size: testSize, seed }),
    },
    provenance: {
      file_sha256: createHash('sha256').update(bytes).digest('hex'),
      ...definition.provenance,
    },
    warnings,
  });
}
