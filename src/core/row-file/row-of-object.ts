import { type ColumnRole, type RowColumns, rolesOf } from './row-columns.ts';

type Fields = Record<string, unknown>;

/**
 * Reads JSON objects as rows: fields under our names, in snake_case or camelCase, or under those that `columns` states. Other values that are text, a number or a boolean become metadata,
 * unless the metadata has the key; so do `should_abstain` and `must_act` beside it. Anything that is not an object is returned as it is.
 */
export function objectReader(columns: RowColumns = {}): (value: unknown) => unknown {
  const roles = new Map<string, ColumnRole>();
  const stated = Object.entries(columns);
  const roleOf = (key: string): ColumnRole => {
    let role = roles.get(key);
    if (role === undefined) {
      const own = Object.fromEntries(stated.filter(([, name]) => name === key));
      role = rolesOf([key], own)[0]!;
      // A key with the name of a field that another key was stated to hold is an ordinary key.
      if (role !== null && 'field' in role && !own[role.field] && columns[role.field] !== undefined)
        role = { key };
      roles.set(key, role);
    }
    return role;
  };
  // An unknown field is an error before the first row.
  rolesOf(Object.values(columns), columns);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const row: Fields = {};
    const more: Fields = {};
    // What stands beside the metadata in our own exports says how the row came about.
    const isExport = 'decision_class' in value && 'metadata' in value;
    for (const [key, found] of Object.entries(value)) {
      const role = roleOf(key);
      if (role === null || (isExport && 'key' in role)) continue;
      if ('field' in role) row[role.field] = found;
      else if (found !== null && (typeof found !== 'object' || key.startsWith('metadata.')))
        more[role.key] = found;
      else if (key === 'should_abstain_reasons') more[key] = found;
    }
    return withMetadata(row, more);
  };
}

/** A row whose top-level `should_abstain`, `must_act` and other values are in its metadata. What the metadata says itself counts. */
export function withMetadata({ should_abstain, must_act, ...row }: Fields, more: Fields = {}): Fields {
  for (const [key, mark] of Object.entries({ should_abstain, must_act })) {
    if (mark !== undefined && mark !== null) more[key] = mark;
  }
  if (Object.keys(more).length === 0) return row;
  const { metadata } = row;
  if (metadata === undefined || metadata === null) return { ...row, metadata: more };
  if (typeof metadata !== 'object' || Array.isArray(metadata)) return row;
  const said = Object.entries(metadata).filter(([key, value]) => value !== null || !(key in more));
  return { ...row, metadata: { ...more, ...Object.fromEntries(said) } };
}
