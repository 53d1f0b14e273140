import { basename } from 'node:path';
import { stringify } from 'yaml';
import { KrisisError } from '../core/errors.ts';
import { didYouMean } from '../core/near-names.ts';
import { quoted } from '../core/plain-text.ts';
import { openTable } from './table/read-table.ts';

/** What a table says about itself when a suite is drafted for it. */
export interface DraftOptions {
  /** The column with the right answer. */
  readonly label: string | undefined;
  /** The sheet of a spreadsheet. Default: the first. */
  readonly sheet?: string | undefined;
}

/** Columns that have a role by their name alone. */
const ROLES = { id: 'id', should_abstain: 'should_abstain', must_act: 'must_act' } as const;
const MAX_LABELS = 20;

/**
 * Drafts a suite for a table: every column is shown but the label, and those whose names are roles.
 *
 * @throws KrisisError where no label is named, or the table cannot be read.
 */
export function draftTableSuite(path: string, { label, sheet }: DraftOptions) {
  const file = basename(path);
  const { table } = openTable(path, path, { sheet });
  const names = table.header;
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
  const roles = Object.entries(ROLES).flatMap(([role, name]) => {
    const column = names.find((one) => one.toLowerCase().replace(/[\s-]+/g, '_') === name && one !== label);
    return column === undefined ? [] : [[role, column] as const];
  });
  const hidden = [label, ...roles.map(([, column]) => column)];
  const shown = names.filter((name) => !hidden.includes(name));
  const definition = {
    name: `my/${
      file
        .replace(/\.\w+$/, '')
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-') || 'cases'
    }`,
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

function labelsIn(table: ReturnType<typeof openTable>['table'], index: number): string[] {
  const labels = new Set<string>();
  for (const { cells } of table.rows()) {
    if (cells[index] !== '') labels.add(cells[index]!);
    if (labels.size > MAX_LABELS) break;
  }
  return [...labels];
}
