import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { snakeCase } from '../../core/codec.ts';
import { isObject } from '../../core/collections.ts';
import type { DeferralReasons } from '../../core/deferral-reasons.ts';
import { DELIMITER_NAMES } from '../../core/delimited/rows.ts';
import { KrisisError } from '../../core/errors.ts';
import { type Label, sameLabel } from '../../core/label.ts';
import { getStratum } from '../../core/patient-record.ts';
import { quoted } from '../../core/plain-text.ts';
import { parseYaml, readText } from '../../rubrics/rubric.ts';
import { choiceTable, isChoice, versionName } from '../choice/choice-table.ts';
import { fitForm } from '../choice/presets.ts';
import { VARIANTS, WITHHELD } from '../choice/variants.ts';
import { checkTask } from '../define-suite.ts';
import { describeSuite, RecordCounts, withoutFreeText } from '../describe-records.ts';
import { fileBelow } from '../file-below.ts';
import { problemsError } from '../file-problem.ts';
import { stratifiedSplit } from '../split/stratified.ts';
import type { Suite } from '../suite.ts';
import { suiteHasher } from '../suite-hash.ts';
import { choice, text } from '../suite-option.ts';
import type { PrimaryEndpoint, Task } from '../task.ts';
import { checkDefinition } from './check-definition.ts';
import { checkTable } from './check-table.ts';
import { type CheckedDefinition, DEFINITION_KEYS, type TableDefinition } from './definition.ts';
import { isParquet } from './packed.ts';
import { type OpenTable, openTable } from './read-table.ts';
import { surveyTable, type TableSurvey } from './survey-table.ts';
import { tableRecords } from './table-records.ts';

/**
 * A suite from a table of your own: CSV, TSV or JSONL. The definition is checked at once; the file is read and checked when it is first needed, so that a
 * suite can be named where its data are not. Rows are read from the file each time they are needed, and are not kept.
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
  const checked = checkDefinition(definition);
  if (isParquet(checked.file))
    throw new KrisisError(
      `defineTableSuite: file is ${quoted(checked.file)}; expected another form, because Parquet is read by await loadTableSuite('suite.yaml')`,
      { code: 'ERR_SUITE_DEFINITION', value: checked.file },
    );
  return suiteFrom(checked, () => resolve(checked.folder ?? process.cwd(), checked.file));
}

/** The suite of a definition that has been checked. `locate` resolves the path of its file when it is first needed. `opened` is a table that had to be read before. */
function suiteFrom(checked: CheckedDefinition, locate: () => string, opened?: OpenTable): Suite {
  const definition = { ...checked, name: versionName(checked) };
  let read: ReturnType<typeof readSuite> | undefined;
  const suite = () => {
    read ??= readSuite(definition, locate(), opened);
    return read;
  };
  const { labels } = definition;
  const known = labels !== undefined && !isChoice(definition) ? tableTask(definition, labels) : null;
  return {
    name: definition.name,
    sensitivity: definition.sensitivity,
    groups: definition.subject === undefined ? definition.groups : [...definition.groups, definition.subject],
    ...(definition.cluster && { cluster: definition.cluster }),
    get task() {
      return known ?? suite().task;
    },
    load: async () => [...suite().records('test')],
    stream: () => suite().records('test'),
    training: async () => [...suite().records('training')],
    describe: async () => suite().description,
  };
}

/** A suite whose file has been read and checked. Nothing of the rows is kept but which part they belong to. */
function readSuite(stated: CheckedDefinition, path: string, opened?: OpenTable) {
  const shownPath = shownName(path);
  const open = opened ?? openTable(path, shownPath, { ...stated, nested: isChoice(stated) });
  const choice = isChoice(stated) ? choiceTable(open.table, fitForm(stated, open.table.header)) : null;
  const { table, definition } = choice ?? { table: open.table, definition: stated };
  const { name, sensitivity, groups } = definition;
  const survey = surveyTable(table, { ...definition, file: shownPath }, open.delimiter);
  const task = survey.labels && tableTask(definition, survey.labels);
  if (task !== null) checkTask(task);
  const isTest = task === null ? () => false : testPart(survey, definition);
  const hasher = task && suiteHasher(task);
  const counts = new RecordCounts(getStratum(task));
  const { problems, nProblems, warnings } = checkTable(table, survey, definition, (record, position) => {
    if (!isTest(position)) return;
    hasher?.add(record);
    counts.add(record);
  });
  if (nProblems > 0 || task === null) throw problemsError(shownPath, problems, { n: nProblems });
  const counted = counts.counts(task.labels);
  const suite = { name, task, sensitivity, groups };
  return {
    task,
    description: {
      ...describeSuite(suite),
      ...withoutFreeText(counted, suite),
      hash: hasher!.digest(),
      nTraining: survey.nRows - counted.nRecords,
      ...(choice !== null &&
        choice.nHidden > 0 && { excluded: [{ reason: 'answer_not_published', n: choice.nHidden }] }),
      settings: { ...describeSettings(definition, survey, open), ...(choice && choiceSettings(choice)) },
      provenance: { file_sha256: open.sha256(), ...definition.provenance },
      warnings: [...encodingWarnings(definition, open), ...warnings, ...(choice?.warnings ?? [])],
    },
    *records(part: 'test' | 'training') {
      if (part === 'training' && definition.testSize === undefined) return;
      let position = 0;
      for (const record of tableRecords(table, survey, definition))
        if (isTest(position++) === (part === 'test')) yield record;
    },
  };
}

/** A path from here, where the file is below the working directory. */
function shownName(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') || isAbsolute(fromHere) ? path : fromHere;
}

/** What made the questions: how many options they have, and the variant. */
function choiceSettings({
  options,
  definition: { preset, variant, share = 0.25, withheld = 'all', maybe, seed },
}: ReturnType<typeof choiceTable>) {
  const counts = [...options].toSorted(([a], [b]) => a - b);
  return {
    options: counts.map(([k, n]) => `${k} (${n} questions)`).join(', '),
    ...(preset && { preset }),
    ...(maybe && { maybe }),
    ...(variant && { variant }),
    ...(variant === 'no_right_option' && { share, seed }),
    ...(variant === 'shuffled' && { seed }),
    ...(variant === 'evidence_removed' && { withheld }),
  };
}

/** Which rows are evaluated: all, or the test part of a split stratified by the label. */
function testPart(
  { strata, nRows }: TableSurvey,
  { testSize, seed }: CheckedDefinition,
): (position: number) => boolean {
  if (testSize === undefined) return () => true;
  const positions = Array.from({ length: nRows }, (_, i) => i);
  const { test } = stratifiedSplit(positions, (position) => strata[position]!, { testSize, seed });
  const isTest = new Uint8Array(nRows);
  for (const position of test) isTest[position] = 1;
  return (position) => isTest[position] === 1;
}

/** What shaped the records: also how the file was read, and what of that was detected. */
function describeSettings(definition: CheckedDefinition, { roles, numerals }: TableSurvey, open: OpenTable) {
  const { file, testSize, seed, missing } = definition;
  const delimited = open.delimiter !== null;
  const detected = [
    ...(definition.encoding === undefined ? ['encoding'] : []),
    ...(delimited && definition.delimiter === undefined ? ['delimiter'] : []),
    ...(delimited && definition.decimal === undefined ? ['decimal'] : []),
  ];
  return {
    file,
    file_encoding: open.encoding(),
    ...(open.delimiter !== null && {
      file_delimiter: DELIMITER_NAMES[open.delimiter],
      file_decimal: numerals.mark === '.' ? 'point' : 'comma',
    }),
    file_detected: detected,
    columns: roles.shown.map(({ feature }) => feature),
    missing: ['', ...missing.map(String).filter((marker) => marker !== '')],
    ...(testSize === undefined ? {} : { test_size: testSize, seed }),
  };
}

/** Windows-1252 fits any bytes: it is what is left when nothing else fits. */
function encodingWarnings(definition: CheckedDefinition, open: OpenTable): string[] {
  return definition.encoding === undefined && open.encoding() === 'windows-1252'
    ? [
        'the file is not UTF-8 and was read as Windows-1252: check its letters beyond a to z, and state its encoding',
      ]
    : [];
}

/** The task of a definition, given its label space. */
export function tableTask(definition: CheckedDefinition, labels: readonly Label[]): Task {
  const isOfChoices = isChoice(definition);
  const texts =
    definition.arms ?? (isOfChoices ? choiceArms(definition) : { natural: definition.instructions! });
  const [first] = Object.keys(texts) as [string, ...string[]];
  const defaultArm = ['natural', ABSTAIN].find((arm) => Object.hasOwn(texts, arm)) ?? first;
  const { positiveLabel, pack, deferralReasons, mustAct, actLabels } = definition;
  return {
    id: definition.name,
    labels,
    ...(positiveLabel === undefined ? {} : { positiveLabel }),
    ordered: definition.ordered ?? pack === 'staging',
    arms: Object.fromEntries(
      Object.entries(texts).map(([arm, instructions]) => [
        arm,
        { instructions, ...(isOfChoices && arm === PLAIN && { isForced: true }) },
      ]),
    ),
    ...(isOfChoices && { choices: choicesAmong(labels, definition) }),
    defaultArm,
    ...(deferralReasons && { deferralReasons: readReasons(deferralReasons) }),
    ...(pack === undefined ? {} : { pack }),
    ...(actLabels
      ? { actLabels: actLabels.map((act) => labels.find((label) => sameLabel(label, act)) ?? act) }
      : mustAct !== undefined && !isOfChoices && { asksUrgency: true }),
    primaryEndpoint: chooseEndpoint(definition, defaultArm, Object.hasOwn(texts, PLAIN)),
  };
}

const PLAIN = 'plain';
const ABSTAIN = 'abstain';

/** The same question twice: an answer is required, or the model may decline. */
function choiceArms({ options, instructions }: CheckedDefinition) {
  const asked =
    instructions ??
    (options === undefined
      ? 'Answer the question that the case holds.'
      : 'Which option answers the question of the case best? Give its letter.');
  return {
    [PLAIN]: asked,
    [ABSTAIN]: `${asked} Abstain when what is shown does not support an answer.`,
  };
}

/** The labels among which a record lets one choose: its options may be fewer than those of others. */
function choicesAmong(
  labels: readonly Label[],
  { options }: CheckedDefinition,
): NonNullable<Task['choices']> {
  return options === undefined
    ? () => labels
    : (features) => labels.filter((label) => features[String(label)] !== undefined);
}

function readReasons(reasons: NonNullable<CheckedDefinition['deferralReasons']>): DeferralReasons {
  return Object.fromEntries(Object.entries(reasons).map(([reason, general]) => [reason, { general }]));
}

function chooseEndpoint(
  { primaryEndpoint, shouldAbstain, question, variant }: CheckedDefinition,
  defaultArm: string,
  hasPlain: boolean,
): PrimaryEndpoint {
  const claimsDeferral = shouldAbstain !== undefined && variant !== 'evidence_removed';
  const isOfPapers = question !== undefined && !claimsDeferral && hasPlain;
  const arm = primaryEndpoint?.arm ?? (isOfPapers && primaryEndpoint === undefined ? PLAIN : defaultArm);
  if (primaryEndpoint !== undefined)
    return { metric: primaryEndpoint.metric, arm, why: primaryEndpoint.why ?? 'named in the definition' };
  if (isOfPapers) return { metric: 'accuracy', arm, why: 'the share of right answers, as papers report it' };
  return shouldAbstain === undefined
    ? { metric: 'selective_accuracy', arm, why: 'how often an answer is right; no deferral labels are given' }
    : { metric: 'decision_accuracy', arm, why: 'answering and deferring both count, each where it is right' };
}

/** The options of a table suite in a YAML file. */
export const TABLE_OPTIONS = {
  data: text('--data <file>', 'read this table in place of the one that the suite file names'),
  variant: choice('--variant <name>', `multiple choice: ${VARIANTS.join(', ')}`, VARIANTS),
  withheld: choice('--withheld <part>', `of evidence_removed: ${WITHHELD.join(', ')}`, WITHHELD),
};

const SNAKE_KEYS = new Map(
  DEFINITION_KEYS.filter((key) => key !== 'folder').map((key) => [snakeCase(key), key]),
);

/**
 * The suite that a YAML file defines: the keys of `TableDefinition` in snake_case. The table has to be below the folder of the YAML file; `data` names another file in its place.
 * `const suite = await loadTableSuite('suite.yaml')`.
 *
 * @throws KrisisError when the file cannot be read or the definition is wrong; a key that is not known is refused.
 */
export async function loadTableSuite(
  path: string,
  {
    data,
    ...typed
  }: Partial<Pick<TableDefinition, 'variant' | 'withheld'>> & {
    readonly data?: string | undefined;
  } = {},
): Promise<Suite> {
  const text = await readText(path, 'the YAML file of a table suite');
  const found = parseYaml(text, path, 'ERR_SUITE_DEFINITION');
  const source = { where: path, spell: snakeCase, keys: [...SNAKE_KEYS.keys()] };
  const refuse = (what: string, value: unknown) =>
    new KrisisError(`${path}: ${what}`, { code: 'ERR_SUITE_DEFINITION', value });
  if (!isObject(found))
    throw refuse(
      `is ${found === null || found === undefined ? 'empty' : 'no object with keys and values'}; expected at least name, file, label and instructions, as in name: ward7/sodium`,
      found,
    );
  const unknown = Object.keys(found).filter((key) => !SNAKE_KEYS.has(key));
  const definition = Object.fromEntries(
    Object.entries(found).flatMap(([key, value]) => {
      const known = SNAKE_KEYS.get(key);
      return known === undefined ? [] : [[known, value]];
    }),
  );
  const stated = { ...definition, ...typed, ...(data !== undefined && { file: data }) };
  const checked = checkDefinition(stated, source, unknown);
  const folder = resolve(dirname(path));
  const locate = () => (data === undefined ? fileBelow(folder, checked.file, path) : resolve(data));
  if (!isParquet(checked.file)) return suiteFrom(checked, locate);
  const { openParquet } = await import('./read-parquet.ts');
  const table = locate();
  return suiteFrom(
    checked,
    locate,
    await openParquet(table, shownName(table), { nested: isChoice(checked) }),
  );
}
