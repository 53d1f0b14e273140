import type { EntryWriter } from './entry-writer.ts';
import { type Manifest, type ManifestUpdate, readManifest } from './manifest.ts';
import type { Statements } from './statements.ts';
import { jsonCell } from './stored-cells.ts';

/** The manifest of a run file. */
export function storedManifest(sql: Statements): Manifest {
  const fields: Record<string, unknown> = {};
  for (const { key, value } of sql.iterate('SELECT key, value FROM manifest LIMIT 1000'))
    fields[String(key)] = sql.reading(() => jsonCell(value, 'a field of the manifest'));
  return readManifest(fields);
}

/** Whether the file has no manifest yet: it was just made, or its writer was killed at once. */
export function lacksManifest(sql: Statements): boolean {
  return sql.get('SELECT 1 FROM manifest LIMIT 1') === undefined;
}

/** Writes fields of the manifest. One that stays the same leaves no entry. */
export function enterManifest(sql: Statements, writer: EntryWriter, values: ManifestUpdate): void {
  for (const [key, field] of Object.entries(values)) {
    if (field === undefined) continue;
    const value = JSON.stringify(field);
    const { changes } = sql.run(
      'INSERT INTO manifest VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value IS NOT excluded.value',
      key,
      value,
    );
    if (changes > 0) writer.append('manifest', [key], { value });
  }
}
