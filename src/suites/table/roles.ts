import { quoted } from '../../core/plain-text.ts';
import { counted } from '../../core/wording.ts';
import { type FileProblem, fileProblem } from '../file-problem.ts';
import type { SuiteDescription } from '../suite.ts';
import { hiddenMetadata } from './check-definition.ts';
import type { CheckedDefinition, ColumnDisplay } from './definition.ts';

/** A column of the file: its name, and which cell of a row it is. */
export interface Column {
  readonly name: string;
  readonly index: number;
}

/** A column that the model sees, under the name that it sees. */
interface ShownColumn extends Column {
  readonly feature: string;
  readonly type: ColumnDisplay['type'];
}

/** Which column of the file is what. */
export interface Roles {
  readonly shown: readonly ShownColumn[];
  readonly label: Column;
  readonly id: Column | null;
  readonly shouldAbstain: Column | null;
  readonly reasons: Column | null;
  readonly mustAct: Column | null;
  /** Columns that are kept and not shown. */
  readonly metadata: readonly Column[];
  /** Columns that are kept and shown. */
  readonly shownGroups: readonly ShownColumn[];
  readonly problems: readonly FileProblem[];
}

const MAX_NAMES = 30;
const DEFERRAL_NAMES = ['should_abstain', 'should_abstain_reasons'];

/** Finds the columns of a definition in the header of a file. */
export function findRoles(header: readonly string[], definition: CheckedDefinition): Roles {
  const problems: FileProblem[] = [];
  // Of two columns with one name, the first counts; the file's reader has complained.
  const indices = new Map(header.map((name, i) => [name, i] as const).reverse());
  const find = (name: string): Column => {
    const index = indices.get(name) ?? -1;
    if (index < 0) problems.push(noSuchColumn(name, header));
    return { name, index };
  };
  const optional = (name: string | undefined) => (name === undefined ? null : find(name));
  const hidden = {
    label: find(definition.label),
    id: optional(definition.id),
    shouldAbstain: optional(definition.shouldAbstain),
    reasons: optional(definition.shouldAbstainReasons),
    mustAct: optional(definition.mustAct),
    metadata: hiddenMetadata(definition).map(find),
  };
  const displays = definition.columns ?? everythingBut(hidden, header);
  const shown = Object.entries(displays).map(([name, display]) => {
    const feature = display.name ?? name;
    return {
      ...find(name),
      feature: display.unit === undefined ? feature : `${feature} (${display.unit})`,
      type: display.type,
    };
  });
  const found = new Set([...hidden.metadata, ...shown].map(({ name }) => name));
  for (const name of definition.groups) if (!found.has(name)) find(name);
  const shownGroups = shown.filter(({ name }) => definition.groups.includes(name));
  return { ...hidden, shown, shownGroups, problems: [...problems, ...shownProblems(shown, definition)] };
}

function everythingBut(hidden: Omit<Roles, 'shown' | 'shownGroups' | 'problems'>, header: readonly string[]) {
  const { metadata, ...others } = hidden;
  const taken = new Set([...Object.values(others), ...metadata].map((column) => column?.name));
  const free = header.filter((name) => !taken.has(name));
  return Object.fromEntries(free.map((name): [string, ColumnDisplay] => [name, {}]));
}

function noSuchColumn(name: string, header: readonly string[]): FileProblem {
  const alike = header.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  const expected =
    alike === undefined ? `one of the columns ${listed(header)}` : `${quoted(alike)}, as the file spells it`;
  return fileProblem(expected, { column: name, found: 'no such column' });
}

function listed(header: readonly string[]): string {
  const more = header.length > MAX_NAMES ? ` and ${header.length - MAX_NAMES} more` : '';
  return header.slice(0, MAX_NAMES).map(quoted).join(', ') + more;
}

function shownProblems(shown: readonly ShownColumn[], { columns }: CheckedDefinition): FileProblem[] {
  const found: FileProblem[] = [];
  const features = new Set<string>();
  for (const { name, feature } of shown) {
    // Showing the model whether it should abstain is always a mistake.
    if (columns === undefined && DEFERRAL_NAMES.includes(name.toLowerCase())) {
      const expected = 'its role to be named in the definition, or the columns to show to be listed';
      found.push(
        fileProblem(expected, { column: name, value: name, found: 'it would be shown to the model' }),
      );
    }
    if (features.has(feature)) {
      const problem = `shown as ${quoted(feature)}, like another column`;
      found.push(fileProblem('different readable names', { column: name, value: feature, found: problem }));
    }
    features.add(feature);
  }
  if (shown.length === 0)
    found.push(fileProblem('at least one', { found: 'no column is left to show to the model' }));
  return found;
}

/**
 * The columns of a table that the model sees, in a sentence; null for a suite that is no table.
 *
 * @example
 * ```ts
 * shownColumnsText({ settings: { columns: ['Age (years)', 'notes'] } }) // => 'The model sees 2 columns: Age (years), notes.'
 * shownColumnsText({ settings: {} }) // => null
 * ```
 */
export function shownColumnsText({ settings }: Pick<SuiteDescription, 'settings'>): string | null {
  const { columns } = settings;
  if (!Array.isArray(columns)) return null;
  const n = columns.length;
  return `The model sees ${counted(n, 'column')}: ${columns.join(', ')}.`;
}
