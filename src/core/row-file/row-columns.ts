import { snakeCase } from '../codec.ts';
import { KrisisError } from '../errors.ts';
import { editDistance, nearNames } from '../near-names.ts';

/** The fields of a row that a column, or a key of a JSON object, can be. */
const ROW_FIELDS = [
  'prediction',
  'ground_truth',
  'abstained',
  'confidence',
  'urgent',
  'should_abstain',
  'must_act',
  'id',
  'repeat',
  'state',
  'state_reason',
  'deferral_reason',
  'call',
  'score',
  'checked',
  'model',
  'metadata',
] as const;
export type RowField = (typeof ROW_FIELDS)[number];

/** Which column holds a field: `{ prediction: 'y_pred', 'metadata.sex': 'Sex' }`. */
export type RowColumns = Readonly<Record<string, string>>;

/** What a column holds: a field, a key of the metadata, or nothing that is scored. */
export type ColumnRole = { readonly field: RowField } | { readonly key: string } | null;

/** Fields that only a stated column holds: elsewhere their names may mean anything. */
const ONLY_STATED: ReadonlySet<RowField> = new Set(['score', 'checked']);

const METADATA = 'metadata.';

/** Columns of our own exports that say how a row came about: they are not metadata. */
const TRACE = new Set([
  'ledger_class',
  'decision_class',
  'case_kind',
  'confidence_source',
  'prompt',
  'problem',
  'http_status',
  'prompt_mode',
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'tokens_estimated',
  'repaired',
  'reply_order',
  'raw_response',
]);

/** Names that other tools give to a field, the most frequent first. */
const OTHER_NAMES: Partial<Record<RowField, readonly string[]>> = {
  prediction:
    'y_pred pred preds predicted predicted_label y_hat yhat model_answer answer output response'.split(' '),
  ground_truth:
    'y_true true_label truth target gold gold_label actual reference expected label labels class y diagnosis outcome'.split(
      ' ',
    ),
  abstained: 'abstain abstention deferred declined'.split(' '),
  confidence: 'conf prob proba probability y_prob y_proba y_score score certainty p'.split(' '),
  urgent: 'is_urgent flagged_urgent says_urgent'.split(' '),
  should_abstain: 'must_defer should_defer'.split(' '),
  must_act: 'emergency is_emergency'.split(' '),
  id: 'case record_id row_id case_id sample_id patient_id'.split(' '),
};

/**
 * What each name of a header, or key of an object, holds. Names like our fields are recognised in snake_case, in camelCase and with spaces; `columns` names others. What is neither is a
 * key of the metadata.
 *
 * @throws KrisisError with the code `ERR_ROW_COLUMNS` when `columns` has an unknown field, names a column that is not there, or two columns hold the same field.
 */
export function assignRoles(
  names: readonly string[],
  columns: RowColumns = {},
  file = 'the file',
): ColumnRole[] {
  const stated = new Map(Object.entries(columns).map(([field, name]) => [name, roleNamed(field)]));
  const missing = [...stated.keys()].filter((name) => !names.includes(name));
  if (missing.length > 0) throw columnsError(`${file}: no column ${list(missing)}`, names, columns);
  const taken = new Set([...stated.values()].flatMap((role) => (role && 'field' in role ? role.field : [])));
  const firstTrace = names.includes('decision_class') ? names.indexOf('ledger_class') : -1;
  const roles = names.map((name, i): ColumnRole => {
    const role = stated.get(name) ?? inferRole(name);
    // In our own exports, what follows the class of a row says how the row came about.
    const isTrace = firstTrace >= 0 && i > firstTrace;
    if (isTrace && role !== null && 'key' in role && !name.startsWith(METADATA)) return null;
    // A column with the name of a field that another column was stated to hold is an ordinary column.
    return role !== null && 'field' in role && taken.has(role.field) && !stated.has(name)
      ? { key: name }
      : role;
  });
  for (const field of ROW_FIELDS) {
    const same = names.filter((_, i) => {
      const role = roles[i]!;
      return role !== null && 'field' in role && role.field === field;
    });
    if (same.length > 1 && new Set(same).size === 1)
      throw new KrisisError(
        `${file}: ${same.length} columns are named "${shownName(same[0]!)}"; expected different names: rename those that are not ${field}`,
        { code: 'ERR_ROW_FILE', value: same[0] },
      );
    if (same.length > 1)
      throw columnsError(`${file}: columns ${list(same)} are all ${field}`, names, { [field]: same[0]! });
  }
  return roles;
}

function inferRole(name: string): ColumnRole {
  if (name.startsWith(METADATA) && name.length > METADATA.length) return { key: name.slice(METADATA.length) };
  const spelled = fieldSpelling(name);
  const field = ROW_FIELDS.find((known) => known === spelled);
  if (field !== undefined && !ONLY_STATED.has(field)) return { field };
  return TRACE.has(spelled) ? null : { key: name };
}

function roleNamed(typed: string): ColumnRole {
  const stated = [...ONLY_STATED].find((field) => field === typed);
  if (stated !== undefined) return { field: stated };
  const role = inferRole(typed);
  if (role !== null && ('field' in role || typed.startsWith(METADATA))) return role;
  const near = nearNames(typed, ROW_FIELDS);
  throw new KrisisError(
    `columns: "${typed}" is not a field of a row; the fields are ${ROW_FIELDS.join(', ')} and metadata.KEY${near.length > 0 ? `. Did you mean ${near[0]}?` : ''}`,
    { code: 'ERR_ROW_COLUMNS', value: { found: [], columns: {} } },
  );
}

/** `Ground Truth` and `groundTruth` are `ground_truth`. */
function fieldSpelling(name: string): string {
  const words = name.trim().replace(/[\s-]+/g, '_');
  const snake = /[a-z]/.test(words)
    ? snakeCase(words.replace(/^[A-Z]/, (first) => first.toLowerCase()))
    : words;
  return snake.replace(/_+/g, '_').toLowerCase();
}

/**
 * The columns that probably hold the fields, by the names that other tools give them.
 *
 * @example
 * ```ts
 * proposeColumns(['case', 'y_pred', 'y_true', 'prob']) // => { id: 'case', prediction: 'y_pred', ground_truth: 'y_true', confidence: 'prob' }
 * ```
 */
export function proposeColumns(names: readonly string[], columns: RowColumns = {}): Record<string, string> {
  const proposed: Record<string, string> = { ...columns };
  for (const field of ROW_FIELDS) {
    if (proposed[field] !== undefined || names.some((name) => fieldSpelling(name) === field)) continue;
    const free = names.filter(
      (name) =>
        !Object.values(proposed).includes(name) &&
        !ROW_FIELDS.some((known) => known === fieldSpelling(name) && !ONLY_STATED.has(known)),
    );
    const known = (OTHER_NAMES[field] ?? []).flatMap(
      (other) => free.find((name) => fieldSpelling(name) === other) ?? [],
    );
    const near = nearNames(
      field,
      free.filter((name) => name.length > 3),
    );
    const isNeeded = field === 'prediction' || field === 'ground_truth';
    const found = known[0] ?? (isNeeded ? near[0] : undefined);
    if (found !== undefined) proposed[field] = found;
  }
  return proposed;
}

/** Fields without which rows can be scored, but not as they were meant. */
const OPTIONAL_FIELDS: readonly RowField[] = [
  'abstained',
  'confidence',
  'urgent',
  'should_abstain',
  'must_act',
];

/** Columns that are read as metadata, and whose names are nearly those of fields that no column holds: `{ abstained: 'abstain' }`. */
export function nearColumns(names: readonly string[], columns: RowColumns = {}): Record<string, string> {
  const fields = new Set(names.map(fieldSpelling));
  const stated = Object.values(columns);
  const free = names.filter((name) => !stated.includes(name) && !name.startsWith(METADATA));
  return Object.fromEntries(
    OPTIONAL_FIELDS.filter((field) => columns[field] === undefined && !fields.has(field)).flatMap((field) => {
      const near = free.find((name) => {
        const spelled = fieldSpelling(name);
        return OTHER_NAMES[field]!.includes(spelled) || editDistance(spelled, field) <= 2;
      });
      return near === undefined ? [] : [[field, near]];
    }),
  );
}

/** The error for columns that cannot be matched to fields: it lists what is there, and `value.columns` proposes a mapping. */
export function columnsError(
  problem: string,
  names: readonly string[],
  columns: RowColumns = {},
): KrisisError {
  const known = Object.fromEntries(Object.entries(columns).filter(([, name]) => names.includes(name)));
  const proposed = proposeColumns(names, known);
  return new KrisisError(`${problem}; its columns are: ${names.map((name) => shownName(name)).join(', ')}`, {
    code: 'ERR_ROW_COLUMNS',
    value: { found: names, columns: proposed },
  });
}

function list(names: readonly string[]): string {
  return names.map((name) => `"${shownName(name)}"`).join(' and ');
}

function shownName(name: string): string {
  return name.length > 60 ? `${name.slice(0, 57)}...` : name;
}
