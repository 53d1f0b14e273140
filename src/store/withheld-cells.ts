import type { DatabaseSync } from 'node:sqlite';
import { type Label, labelKey } from '../core/index.ts';
import { keysToKeep } from '../metrics/index.ts';
import { stratumOf } from '../suites/domains/index.ts';
import { isReasonCode } from '../suites/index.ts';
import { protectedMetadata } from './kept-metadata.ts';
import { type Manifest, readManifest } from './manifest.ts';

/** From this schema on, runs store of protected data only what may be kept. */
export const WITHHOLDS_TEXTS = 5;

/** Whether a run is protected and was begun by a version that stored more of it than may be kept; a later one may have continued it since. */
function storesTooMuch(db: DatabaseSync): boolean {
  const field = (key: string) =>
    parsed(db.prepare('SELECT value FROM main.manifest WHERE key = ?').get(key)?.value);
  if (field('sensitivity') !== 'protected') return false;
  const schemas = [db.prepare('PRAGMA user_version').get()!.user_version, field('schema_version')];
  return (
    schemas.some((schema) => typeof schema === 'number' && schema < WITHHOLDS_TEXTS) ||
    db.prepare("SELECT 1 FROM main.events WHERE kind = 'adopted'").get() !== undefined
  );
}

/** By table and column, the SQL for what is kept of a cell. */
export type KeptCells = Readonly<Record<string, Readonly<Record<string, string>>>>;

const KEPT: KeptCells = {
  manifest: { value: 'kept_field(key, value)' },
  records: { metadata: 'kept_metadata(metadata)', features: 'NULL' },
  calls: {
    error: 'kept_error(error)',
    raw_response: 'NULL',
    model_id: 'kept_model(model_id)',
    reply_hash: 'NULL',
    kept_hash: 'NULL',
  },
  rows: {
    state_reason: 'kept_error(state_reason)',
    prediction: 'kept_prediction(prediction)',
    raw_response: 'NULL',
    reply_start: 'NULL',
    reply_end: 'NULL',
    reply_hash: 'NULL',
    kept_hash: 'NULL',
  },
  judgements: { outcome: 'kept_outcome(outcome)' },
};

/**
 * Defines the functions by which cells of an older protected run are read, and returns where to use them; null for a run that stores only what may be kept. Readers see the run through them,
 * and copies are written through them, so no report, page or bundle has to filter.
 */
export function keptCells(db: DatabaseSync): KeptCells | null {
  if (!storesTooMuch(db)) return null;
  const fields = db.prepare('SELECT key, value FROM main.manifest LIMIT 1000').all();
  const manifest = readManifest(
    Object.fromEntries(fields.map(({ key, value }) => [String(key), parsed(value)])),
  );
  const metadataOf = metadataFilter(manifest);
  if (manifest.cluster !== null || typeof manifest.scoring?.cluster === 'string')
    // Clusters are numbered in the order of the records, whatever is read first.
    for (const { metadata } of db.prepare('SELECT metadata FROM main.records ORDER BY position').iterate())
      mapJson(metadata, metadataOf);
  const define = (name: string, kept: (...cells: unknown[]) => string | null) =>
    db.function(name, { varargs: true }, (...cells) => kept(...cells));
  define('kept_metadata', (cell) => mapJson(cell, metadataOf));
  define('kept_field', (key, cell) => keptField(String(key), cell, manifest));
  define('kept_error', (cell) => kindOf(cell));
  define('kept_model', (cell) => (cell === null ? null : keptModel(cell, manifest)));
  define('kept_prediction', predictionFilter(manifest));
  define('kept_outcome', outcomeFilter(manifest));
  return KEPT;
}

/** Takes out of a copy of an older protected run what may not be kept. Its chain, if a later version began one, would no longer fit, so the copy has none. */
export function withholdCells(copy: DatabaseSync): void {
  const kept = keptCells(copy);
  if (kept === null) return;
  copy.exec('PRAGMA secure_delete = ON; BEGIN');
  for (const [table, cells] of Object.entries(kept)) {
    const known = new Set(
      copy
        .prepare(`PRAGMA table_info(${table})`)
        .all()
        .map(({ name }) => name),
    );
    const changes = Object.entries(cells).filter(([column]) => known.has(column));
    copy.exec(`UPDATE ${table} SET ${changes.map(([column, sql]) => `${column} = ${sql}`).join(', ')}`);
  }
  if (copy.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'chain'").get() !== undefined)
    copy.exec("DELETE FROM chain; DELETE FROM events WHERE kind IN ('sealed', 'adopted')");
  copy.exec('COMMIT');
}

function metadataFilter({ kind, task, cluster, scoring }: Manifest) {
  const groupBy = Array.isArray(scoring?.group_by) ? scoring.group_by.map(String) : [];
  const kept = protectedMetadata({
    clusters: [cluster, typeof scoring?.cluster === 'string' ? scoring.cluster : null],
    groups: [...keysToKeep({ groupBy }), stratumOf(task).key],
    task: kind === 'text' ? null : { deferralReasons: task?.deferral_reasons },
  });
  return (metadata: unknown) => (isObject(metadata) ? kept(metadata) : {});
}

/** Faults and reasons are a code, with a message of the provider after a colon. */
function kindOf(cell: unknown): string | null {
  return cell === null ? null : (/^\w+(?=:|$)/.exec(String(cell))?.[0] ?? 'error');
}

/** A provider can call its model what it likes: only a version of the one that was asked is known to be a name. */
function keptModel(cell: unknown, { model }: Manifest): string {
  const asked = model?.slice(model.indexOf('/') + 1) ?? '';
  const text = String(cell);
  const rest = text.startsWith(asked) ? text.slice(asked.length) : null;
  return asked !== '' && rest !== null && /^[-@:.\d]*$/.test(rest) ? text : 'withheld';
}

function predictionFilter({ task }: Manifest) {
  const labels = new Set(task?.labels.map((label) => labelKey(label)));
  return (cell: unknown) =>
    mapJson(cell, (value) => (value !== null && labels.has(labelKey(value as Label)) ? value : null));
}

/** The reasons that a description counts, and the overview of the page, which is counted again from the rows. */
function keptField(key: string, cell: unknown, manifest: Manifest): string | null {
  if (key === 'overview') return 'null';
  if (key === 'stopped_because') return mapJson(cell, kindOf);
  if (key === 'extras')
    return mapJson(cell, (extras) =>
      isObject(extras) && Array.isArray(extras.model_ids)
        ? { ...extras, model_ids: [...new Set(extras.model_ids.map((id) => keptModel(id, manifest)))] }
        : extras,
    );
  if (key !== 'suite') return cell as string | null;
  const task = manifest.kind === 'text' ? null : { deferralReasons: manifest.task?.deferral_reasons };
  const byCode = (counts: unknown) => {
    const kept: Record<string, number> = {};
    for (const [reason, n] of Object.entries(isObject(counts) ? counts : {})) {
      const name = isReasonCode(reason, task) ? reason : 'other';
      kept[name] = (kept[name] ?? 0) + Number(n);
    }
    return kept;
  };
  return mapJson(cell, (suite) =>
    isObject(suite)
      ? {
          ...suite,
          ...('origins' in suite && { origins: {} }),
          ...('must_act' in suite && { must_act: byCode(suite.must_act) }),
          ...(isObject(suite.deferral) && {
            deferral: { ...suite.deferral, reasons: byCode(suite.deferral.reasons) },
          }),
        }
      : suite,
  );
}

/** Of judgements, verdicts, flags, numbers, offsets and words of the rubric. What else a judge wrote is text. */
function outcomeFilter({ rubrics }: Manifest) {
  const known = new Set<unknown>();
  const collect = (value: unknown): void => {
    known.add(value);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      known.add(key);
      collect(inner);
    }
  };
  collect(rubrics);
  const ifKnown = (value: unknown) => (typeof value !== 'string' || known.has(value) ? value : null);
  const among = (value: unknown, keep: (entry: Readonly<Record<string, unknown>>) => object[]) =>
    Array.isArray(value) ? value.filter(isObject).flatMap(keep) : value;
  const quotes = (value: unknown) =>
    among(value, ({ start, end }) => (typeof start === 'number' ? [{ start, end }] : []));
  return (cell: unknown) =>
    mapJson(cell, (outcome) =>
      isObject(outcome)
        ? {
            ...outcome,
            ...('verdicts' in outcome && {
              verdicts: among(outcome.verdicts, (verdict) => [
                { ...verdict, quotes: quotes(verdict.quotes) },
              ]),
            }),
            ...('traits' in outcome && {
              traits: among(outcome.traits, (trait) =>
                !known.has(trait.name)
                  ? []
                  : ifKnown(trait.value) === trait.value
                    ? [trait]
                    : [{ ...trait, value: null, reason: 'text_withheld' }],
              ),
            }),
            ...('problems' in outcome && {
              problems: among(outcome.problems, (problem) => [
                { ...problem, id: ifKnown(problem.id), trait: ifKnown(problem.trait) },
              ]),
            }),
            ...('claims' in outcome && {
              claims: among(outcome.claims, ({ verdict }) => [{ verdict }]),
            }),
            ...('buckets' in outcome && {
              buckets: among(outcome.buckets, (bucket) => [{ ...bucket, lists: numbered(bucket.lists) }]),
            }),
          }
        : outcome,
    );
}

/** The lists of the second protocol with their entries as numbers. */
function numbered(lists: unknown): unknown {
  if (!isObject(lists)) return null;
  const seen: string[] = [];
  const entry = (text: unknown) => {
    const folded = String(text).trim().toLowerCase();
    if (folded !== '' && !seen.includes(folded)) seen.push(folded);
    return folded === '' ? '' : `entry ${seen.indexOf(folded) + 1}`;
  };
  return Object.fromEntries(
    Object.entries(lists).map(([name, entries]) => [name, Array.isArray(entries) ? entries.map(entry) : []]),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(cell: unknown): unknown {
  try {
    return JSON.parse(String(cell));
  } catch {
    return undefined;
  }
}

/** A cell that is not JSON becomes null: its reader then reports a damaged file, as it would for the cell itself. */
function mapJson(cell: unknown, change: (value: unknown) => unknown): string | null {
  const value = typeof cell === 'string' ? parsed(cell) : undefined;
  return value === undefined ? null : JSON.stringify(change(value));
}
