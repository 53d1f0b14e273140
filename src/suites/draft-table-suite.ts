import { basename } from 'node:path';
import { stringify } from 'yaml';
import { KrisisError } from '../core/errors.ts';
import { didYouMean } from '../core/near-names.ts';
import { quoted } from '../core/plain-text.ts';
import { fitForm, PRESETS, type PresetName, recognisePreset } from './choice/presets.ts';
import { keyByName } from './table/check-table.ts';
import { isParquet } from './table/packed.ts';
import { openTable } from './table/read-table.ts';
import type { Table } from './table/table.ts';

/** What a table says about itself when a suite is drafted for it. */
export interface DraftOptions {
  /** The column with the right answer. */
  readonly label: string | undefined;
  /** The sheet of a spreadsheet. Default: the first. */
  readonly sheet?: string | undefined;
}

/** Keys that a column can have by its name alone. */
const KEYS: readonly string[] = ['id', 'should_abstain', 'must_act'];
const MAX_LABELS = 20;

/**
 * Drafts a suite for a table: every column is shown but the label, and those whose names are roles. A published multiple-choice set is known by its columns.
 *
 * @throws KrisisError where no label is named, or the table cannot be read.
 */
export async function draftTableSuite(path: string, { label, sheet }: DraftOptions) {
  const file = basename(path);
  const { table } = isParquet(path)
    ? await (await import('./table/read-parquet.ts')).openParquet(path, path, { nested: true })
    : openTable(path, path, { sheet, nested: label === undefined });
  const names = table.header;
  const preset = label === undefined ? recognisePreset(names) : null;
  if (preset !== null) return draftOfPreset(preset, table, file);
  if (names.length === 0)
    throw new KrisisError(`${path}: no column names; expected them in the first row`, {
      code: 'ERR_DATA_FILE',
      value: path,
    });
  if (label === undefined || !names.includes(label))
    throw new KrisisError(
      label === undefined
        ? `${path}: which column has the right answer? Its columns are: ${names.map(quoted).join(', ')}`
        : `${path}: no column ${quoted(label)}; ${didYouMean(label, names)}`,
      { code: 'ERR_LABEL_COLUMN', value: { path, names } },
    );
  const labels = labelsIn(table, names.indexOf(label));
  if (labels.length < 2 || labels.length > MAX_LABELS)
    throw new KrisisError(
      `${path}: column ${quoted(label)} has ${labels.length} different values; expected 2 to ${MAX_LABELS} labels`,
      { code: 'ERR_LABEL_COLUMN', value: { path, names } },
    );
  const roles = KEYS.flatMap((key) => {
    const column = names.find((name) => name !== label && keyByName(name) === key);
    const isOne = column !== undefined && (key !== 'id' || isUnique(table, names.indexOf(column)));
    return isOne ? [[key, column] as const] : [];
  });
  const hidden = [label, ...roles.map(([, column]) => column)];
  const shown = names.filter((name) => !hidden.includes(name));
  const definition = {
    name: `my/${nameFrom(file)}`,
    file,
    ...(sheet !== undefined && { sheet }),
    columns: shown,
    label,
    labels,
    ...Object.fromEntries(roles),
    instructions: `What is the right answer for this case: ${labels.join(', ')}? Abstain when the data do not support a safe answer.`,
  };
  const yaml = stringify(definition, { lineWidth: 0 })
    .replace(/^columns:/m, '# What the model sees. Take out what gives the answer away.\ncolumns:')
    .replace(/^label:/m, '# What it never sees.\nlabel:')
    .replace(/^instructions:/m, '# Say what is asked.\ninstructions:');
  return { yaml, shown, hidden };
}

/** The published set that a file of text is; null where it is none, or cannot be read. Only its columns are looked at. */
export function recogniseSet(path: string): PresetName | null {
  try {
    return recognisePreset(openTable(path, path, { nested: true }).table.header);
  } catch {
    // Whoever opens the file says what is wrong with it.
    return null;
  }
}

/** What to do with a file of questions that has no suite. */
export function setWithoutSuite(path: string, preset: PresetName): string {
  return `${path}: a multiple-choice set (${PRESETS[preset].title}), which becomes a suite by a file that names it: krisis init table ${path} writes one`;
}

function nameFrom(file: string): string {
  const [name = ''] = file.split('.');
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-') || 'cases';
}

/** A suite for a set whose columns are known. */
function draftOfPreset(preset: PresetName, table: Table, file: string) {
  const { title, source, licence } = PRESETS[preset];
  const draft = { preset, name: `${preset}/${nameFrom(file)}`, file };
  const form = fitForm({ ...PRESETS[preset].forms[0], preset }, table.header);
  const { question, context, options, label, labelIs } = form;
  const labels = labelIs === 'index' ? labelsIn(table, table.header.indexOf(label)) : [];
  const isFromOne = labels.includes('4') && !labels.includes('0');
  const shown = [question, context, options ?? []].flat().filter((name) => name !== undefined);
  return {
    yaml: `# ${title}: ${source} (${licence}).\n${stringify({ ...draft, ...(isFromOne && { first_index: 1 }) })}`,
    shown,
    hidden: table.header.filter((name) => !shown.includes(name)),
  };
}

/** Whether every row has a value of its own in a column. */
function isUnique(table: Table, index: number): boolean {
  const seen = new Set<string>();
  for (const { cells } of table.rows()) {
    const cell = cells[index]!;
    if (cell === '' || seen.has(cell)) return false;
    seen.add(cell);
  }
  return true;
}

function labelsIn(table: Table, index: number): string[] {
  const labels = new Set<string>();
  for (const { cells } of table.rows()) {
    if (cells[index] !== '') labels.add(cells[index]!);
    if (labels.size > MAX_LABELS) break;
  }
  return [...labels];
}
